import { type Command, takeOperands } from './command.ts'

export const databaseRestored: Command = {
  commandWords: 'database restored',
  synopsis: '',
  summary: 'To be run after a backup was put back: devices ask anew for all that they keep of the site.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const listCount = await storage.favorites.resetCursors()
    return { text: `${listCount} ${listCount === 1 ? 'list' : 'lists'} of favorites will be asked for anew.`, data: { lists: listCount } }
  },
}
