/** A menu as long as in real responses; a shared object, so that it only costs its serialization. */
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
