-- The function compares contents as well; its former parameters had none.
drop function if exists log.earlier(text, bigint, uuid[]);
