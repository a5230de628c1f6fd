import { defineCommand } from './command.ts'

export const databaseRestored = defineCommand({
  words: 'database restored',
  summary: 'To be run after a backup was put back: devices ask anew for all that they keep of the site.',
  run: async (_args, { storage }) => {
    const listCount = await storage.favorites.resetCursors()
    return { text: `${listCount} ${listCount === 1 ? 'list' : 'lists'} of favorites will be asked for anew.`, data: { lists: listCount } }
  },
})
