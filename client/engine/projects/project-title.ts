import { toSongName } from '../../../contract/file-name.ts'

/** The maximum length of a project's name in characters. */
const MAX_TITLE_LENGTH = 200

/** Returns the name of a new project: the title in the song's tags, else the name of its file. */
export const createSongTitle = (fileName: string, taggedTitle = ''): string => cleanTitle(taggedTitle) || toSongName(fileName)

/** Returns a name without the spaces around it, in one line and not too long; empty if nothing is left. */
export const cleanTitle = (title: string): string =>
  title
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .trim()

/** Returns the name of a copy of a project. */
export const createCopyTitle = (title: string): string => `${title} copy`
