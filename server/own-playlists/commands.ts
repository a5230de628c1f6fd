import { isShareToken } from '../../contract/own-playlist-rules.ts'
import { CommandError, defineCommand, toPrintable, UsageError } from '../admin/command.ts'

/** The number of reports that `list reports` prints. */
const REPORTS_MAX = 100
const REASON_MAX_LENGTH = 200

const listOperand = { list: { help: "the address of a playlist's public page, or the token in it" } } as const

/** Returns the token from a text that is the token itself or the address of the page. @throws UsageError if the text is neither */
function parseToken(text: string): string {
  const token = URL.canParse(text) ? (new URL(text).searchParams.get('l') ?? '') : text
  if (!isShareToken(token)) throw new UsageError(`'${toPrintable(text)}' is neither the address of a shared playlist nor its token`)
  return token
}

const noListError = (token: string) => new CommandError(`No playlist is shared as ${token}`)

export const listHideCommand = defineCommand({
  words: 'list hide',
  summary: 'Hides the public page of a playlist at once. Its owner keeps the playlist, and reads the reason.',
  operands: listOperand,
  options: { reason: { value: 'TEXT', help: 'why, in a sentence for the owner', required: true } },
  run: async ({ list, reason: text }, { storage }) => {
    const token = parseToken(list)
    const reason = text.trim()
    if (reason === '' || reason.length > REASON_MAX_LENGTH) throw new UsageError(`--reason must have 1 to ${REASON_MAX_LENGTH} characters`)
    if (!(await storage.ownPlaylists.setHidden(token, reason))) throw noListError(token)
    return { text: `The page of ${token} is hidden.`, data: { token, hidden: reason } }
  },
})

export const listShowCommand = defineCommand({
  words: 'list show',
  summary: 'Shows the public page of a playlist again that was hidden.',
  operands: listOperand,
  run: async ({ list }, { storage }) => {
    const token = parseToken(list)
    if (!(await storage.ownPlaylists.setHidden(token, ''))) throw noListError(token)
    return { text: `The page of ${token} is shown.`, data: { token, hidden: '' } }
  },
})

export const listReportsCommand = defineCommand({
  words: 'list reports',
  summary: "Lists what visitors have reported about accounts' shared playlists in the last month, the newest first.",
  run: async (_args, { storage }) => {
    const reports = await storage.ownPlaylists.listReports(REPORTS_MAX)
    const lines = reports.map(
      ({ token, title, uid, reason, reported, hidden }) =>
        `${reported}  ${token || '(private)'}  ${toPrintable(title)}  (account ${uid}${hidden === '' ? '' : ', hidden'}): ${toPrintable(reason)}`,
    )
    return { text: lines.length === 0 ? 'No shared playlist was reported.' : lines.join('\n'), data: reports }
  },
})
