/** A menu as long as real replies carry one; the same object each time, so that it costs its serialisation only. */
export const bundleJson = {
  desktopTopbarRenderer: {
    hotkeyDialog: {
      hotkeyDialogRenderer: {
        sections: ['Playback', 'General', 'Subtitles', 'Spherical videos'].map((title) => ({
          hotkeyDialogSectionRenderer: {
            title: { runs: [{ text: title }] },
            options: Array.from({ length: 8 }, (_, n) => ({
              hotkeyDialogSectionOptionRenderer: {
                label: { runs: [{ text: `Shortcut ${n}` }] },
                hotkey: String(n),
              },
            })),
          },
        })),
      },
    },
  },
};
