// The description of the journal service, for handshakes before its code is loaded.

export const head = {
  id: 'journal',
  title: 'Journal',
  summary:
    'save a checkpoint before context runs out and resume it later; search for an error before you fix it, and save what fixed it; search for a skill before you work out a procedure.',
};
