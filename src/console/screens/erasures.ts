import { html } from '../../kernel/html.ts';
import { receiptOf } from '../../operations/subjects/receipts.ts';
import { listRequests } from '../../operations/subjects/requests.ts';
import { listSubjects, subjectNamed } from '../../operations/subjects/subjects.ts';
import type { Screen } from '../console.ts';
import { link, note, pathOf, table } from '../view.ts';
import { jobsTable } from './models.ts';

export const erasures: Screen = {
  path: '/erasures',
  nav: { text: 'Erasures', key: 'x' },
  everyS: 5,
  show: async (context) => {
    const [subjects, requests] = await Promise.all([listSubjects(context), listRequests(context)]);
    return {
      title: 'Erasures',
      offers: requests.map(({ id }) => ({
        action: 'request.dismiss',
        given: { request: id },
        label: `Dismiss ${id}`,
      })),
      live: [
        table({ id: 'subjects', caption: 'Erased and suppressed accounts', empty: 'None.' }, subjects, [
          {
            head: 'subject',
            value: ({ subject }) => subject,
            cell: ({ subject }) => link(pathOf('erasures', subject), subject.slice(0, 16)),
          },
          { head: 'state', value: ({ state }) => state },
          { head: 'platform', value: ({ platform }) => platform },
          { head: 'suppressed', value: ({ suppressed_at }) => suppressed_at, is: 'instant' },
          { head: 'due', value: ({ due_at }) => due_at, is: 'instant' },
          { head: 'erased', value: ({ erased_at }) => erased_at, is: 'instant' },
          { head: 'forgotten', value: ({ forgotten_at }) => forgotten_at, is: 'instant' },
        ]),
        table({ id: 'requests', caption: 'Requests of people that wait for you', empty: 'None.' }, requests, [
          { head: 'request', value: ({ id }) => id },
          { head: 'asks for', value: ({ act }) => act },
          { head: 'platform', value: ({ platform }) => platform },
          { head: 'account', value: (request) => request.account },
          { head: 'contact', value: ({ contact }) => contact },
          { head: 'asked', value: ({ at }) => at, is: 'instant' },
        ]),
        jobsTable(context.jobs.list().filter(({ name }) => name === 'erasures' || name === 'lift')),
        note('Erase an account on its page. For what is held about one: sightline subjects export'),
      ],
    };
  },
};

export const erasure: Screen = {
  path: '/erasures/:subject',
  show: async (context, { params }) => {
    const subject = await subjectNamed(context, params.subject ?? '');
    return {
      title: `Erasure ${subject.subject.slice(0, 16)}`,
      offers:
        subject.state === 'lifted' ? [] : [{ action: 'subject.lift', given: { subject: subject.subject } }],
      live: [
        note('The receipt, signed. docs/privacy.md says how to verify it.'),
        html`<pre>${JSON.stringify(await receiptOf(context, subject), null, 2)}</pre>`,
      ],
    };
  },
};
