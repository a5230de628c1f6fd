import { findBrandOfHost } from '../../brands/registry.ts'
import { isShareToken } from '../../contract/own-playlist-rules.ts'
import { findDomainNameProblem } from '../../contract/website-rules.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { parseEmail, requireAccountOf } from '../account/account-of.ts'
import {
  type Command,
  type CommandContext,
  type CommandOutput,
  defineCommand,
  readCurrentUser,
  toPrintable,
  UsageError,
} from '../admin/command.ts'
import type { MailContext } from '../identity/account-mails.ts'
import { type ActionResult, createModeration, type HideableKind, type Moderation, type ModerationOrder } from './moderation.ts'

const REASON_MAX_LENGTH = 200
const NAME_MAX_LENGTH = 300

const reasonOption = { value: 'TEXT', help: 'why, in a sentence; the log states it', required: true } as const
const optionalReasonOption = { value: 'TEXT', help: 'why, in a sentence; the log states it' } as const
const adminNameOption = { value: 'NAME', help: 'who you are, for the log; without it, the user of the system' } as const
const dryRunOption = { help: 'say what would change, and change nothing' } as const

/** Returns the trimmed text of an option. @throws UsageError if it is empty or too long */
function parseText(optionName: string, optionText: string, maxLength = REASON_MAX_LENGTH): string {
  const trimmed = optionText.trim()
  if (trimmed === '' || trimmed.length > maxLength) throw new UsageError(`--${optionName} must have 1 to ${maxLength} characters`)
  return trimmed
}

interface OrderArguments {
  reason?: string | undefined
  as?: string | undefined
  'dry-run'?: boolean
}

const createOrder = (commandText: string, { reason, as, 'dry-run': isDryRun = false }: OrderArguments): ModerationOrder => ({
  actor: as === undefined ? readCurrentUser() : parseText('as', as, 100),
  command: commandText,
  reason: reason === undefined ? '' : parseText('reason', reason),
  isDryRun,
})

const LISTED_ROWS_DEFAULT_MAX = 500
const limitOption = { value: 'N', help: `how many are listed at most, newest first; without it, ${LISTED_ROWS_DEFAULT_MAX}` } as const

/**
 * Returns the newest rows, as many as the option `--limit` allows. If there are more, a line on standard error says so.
 * @throws UsageError if the option is not a number of rows
 */
async function readNewestRows<T>(
  limitText = String(LISTED_ROWS_DEFAULT_MAX),
  { report }: Pick<CommandContext, 'report'>,
  readRows: (limit: number) => Promise<T[]>,
): Promise<T[]> {
  const rowLimit = /^[1-9]\d{0,6}$/.test(limitText) ? Number(limitText) : undefined
  if (rowLimit === undefined) throw new UsageError('--limit must be a whole number from 1 to 9999999')
  const rows = await readRows(rowLimit + 1)
  if (rows.length > rowLimit) report(`Only the newest ${rowLimit} are listed. --limit N lists more.`)
  return rows.slice(0, rowLimit)
}

/** Owners belong to no brand. Mails to them show the brand of the public origin. */
async function readMailContext({ storage, config }: CommandContext): Promise<MailContext> {
  const { id, settings } = findBrandOfHost(config.publicOrigin.hostname)
  const { NAME: siteName = settings.NAME, DOMAIN: siteDomain = settings.DOMAIN } = await storage.settings.readForBrand(id)
  return { origin: config.publicOrigin.origin, siteName, siteDomain }
}

const createCommandModeration = (context: CommandContext): Moderation =>
  createModeration(context.storage, () => readMailContext(context), Date.now)

/** Returns the row counts of an action as text, such as `3 playlists, 12 favorites`. */
const formatEffects = (effects: ActionResult['effects']) =>
  Object.entries(effects)
    .map(([kind, count]) => `${kind.replaceAll('_', ' ')}: ${count}`)
    .join(', ')

function formatOutput(result: ActionResult, actionText: string): CommandOutput {
  const { dry_run, target, title, effects } = result
  const name = title === '' ? target : `${target} (${toPrintable(title)})`
  const text = dry_run ? `Nothing is changed. The ${name} would be ${actionText}.` : `The ${name} is ${actionText}.`
  return { text: `${text} It concerns ${formatEffects(effects)}.`, data: result }
}

function parseSongId(songText: string): string {
  const id = parseVideoId(songText)
  if (id === undefined) throw new UsageError(`'${toPrintable(songText)}' is neither a video id nor a URL of a video`)
  return id
}

function parsePlaylistId(playlistText: string): string {
  const playlistId = URL.canParse(playlistText) ? (new URL(playlistText).searchParams.get('p') ?? '') : playlistText
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(playlistId))
    throw new UsageError(`'${toPrintable(playlistText)}' is neither the id of a playlist nor the address of its page`)
  return playlistId
}

function parseDomainName(domainText: string): string {
  const domainName = domainText.toLowerCase()
  if (findDomainNameProblem(domainName) !== undefined)
    throw new UsageError(`'${toPrintable(domainText)}' is not the domain name of a site, such as 'aria'`)
  return domainName
}

/** Returns the token from a text that is the token itself or the URL of the page. @throws UsageError if the text is neither */
function parseToken(tokenText: string): string {
  const token = URL.canParse(tokenText) ? (new URL(tokenText).searchParams.get('l') ?? '') : tokenText
  if (!isShareToken(token)) throw new UsageError(`'${toPrintable(tokenText)}' is neither the address of a shared playlist nor its token`)
  return token
}

/** For each kind of target: the operand of its commands, the parser of the operand, and the actions. */
const contentKinds = {
  song: {
    help: 'the id or a URL of its video',
    parse: parseSongId,
    hide: 'Takes a song out of the catalogue, with every list, search, radio and feed, until it is shown again. Imports do not bring it back.',
    show: 'Puts a hidden song back where it was.',
    delete: 'Deletes a song from the catalogue. An import that contains it adds it again.',
  },
  playlist: {
    help: 'the id of a playlist of the catalogue, or the address of its page',
    parse: parsePlaylistId,
    hide: 'Takes a playlist out of the catalogue until it is shown again. Imports do not bring it back. Its songs stay.',
    show: 'Puts a hidden playlist back.',
    delete: 'Deletes a playlist from the catalogue. Its songs stay; an import that contains it adds it again.',
  },
  site: {
    help: "the domain name of a subscriber's site, such as 'aria'",
    parse: parseDomainName,
    hide: "Hides a subscriber's site from its visitors until it is shown again. The owner gets the reason by mail.",
    show: 'Shows a hidden site again. The owner is told by mail.',
    delete: 'Deletes a site with its pictures and clicks. The owner gets the reason by mail; nobody can take its name for 90 days.',
  },
  list: {
    help: "the address of an own playlist's public page, or the token in it",
    parse: parseToken,
    hide: 'Hides the public page of an own playlist at once. Its owner keeps the playlist, and gets the reason by mail.',
    show: 'Shows the public page of an own playlist again. The owner is told by mail.',
    delete: 'Deletes an own playlist, on the devices of its owner too, who gets the reason by mail and can restore it for 30 days.',
  },
} as const satisfies Record<HideableKind, object>

const createHideCommand = (kind: HideableKind) =>
  defineCommand({
    words: `${kind} hide`,
    summary: contentKinds[kind].hide,
    operands: { id: { help: contentKinds[kind].help } },
    options: { reason: reasonOption, 'dry-run': dryRunOption, as: adminNameOption },
    run: async ({ id, ...args }, context) =>
      formatOutput(
        await createCommandModeration(context).hide(kind, contentKinds[kind].parse(id), createOrder(`${kind} hide`, args)),
        'hidden',
      ),
  })

const createShowCommand = (kind: HideableKind) =>
  defineCommand({
    words: `${kind} show`,
    summary: contentKinds[kind].show,
    operands: { id: { help: contentKinds[kind].help } },
    options: { reason: optionalReasonOption, 'dry-run': dryRunOption, as: adminNameOption },
    run: async ({ id, ...args }, context) =>
      formatOutput(
        await createCommandModeration(context).show(kind, contentKinds[kind].parse(id), createOrder(`${kind} show`, args)),
        'shown',
      ),
  })

const createDeleteCommand = (kind: HideableKind) =>
  defineCommand({
    words: `${kind} delete`,
    summary: contentKinds[kind].delete,
    operands: { id: { help: contentKinds[kind].help } },
    options: { reason: reasonOption, 'dry-run': dryRunOption, as: adminNameOption },
    run: async ({ id, ...args }, context) =>
      formatOutput(
        await createCommandModeration(context).remove(kind, contentKinds[kind].parse(id), createOrder(`${kind} delete`, args)),
        'deleted',
      ),
  })

/** The commands that hide, show and delete content. */
export const contentCommands: readonly Command[] = (['song', 'playlist', 'site', 'list'] as const).flatMap((contentKind) => [
  createHideCommand(contentKind),
  createShowCommand(contentKind),
  createDeleteCommand(contentKind),
])

export const contactDeleteCommand = defineCommand({
  words: 'contact delete',
  summary: 'Deletes a message to the team, with the mail about it.',
  operands: { id: { help: "the number that 'contact list' prints" } },
  options: { reason: reasonOption, 'dry-run': dryRunOption, as: adminNameOption },
  run: async ({ id, ...args }, context) => {
    const messageNumber = /^#?(\d{1,15})$/.exec(id)?.[1]
    if (messageNumber === undefined) throw new UsageError(`'${toPrintable(id)}' is not the number of a message`)
    return formatOutput(
      await createCommandModeration(context).deleteMessage(Number(messageNumber), createOrder('contact delete', args)),
      'deleted',
    )
  },
})

const emailOption = { value: 'E', help: 'the email address of the account', required: true } as const

export const userSignOutCommand = defineCommand({
  words: 'user sign-out',
  summary: 'Ends all logins of an account. It can log in again.',
  options: { email: emailOption, reason: reasonOption, 'dry-run': dryRunOption, as: adminNameOption },
  run: async ({ email, ...args }, context) => {
    const { uid } = await requireAccountOf(parseEmail(email), context)
    return formatOutput(await createCommandModeration(context).signOut(uid, createOrder('user sign-out', args)), 'signed out')
  },
})

export const userDeleteCommand = defineCommand({
  words: 'user delete',
  summary: 'Deletes an account and all that belongs to it.',
  options: { email: emailOption, reason: reasonOption, 'dry-run': dryRunOption, as: adminNameOption },
  run: async ({ email, ...args }, context) => {
    const { uid } = await requireAccountOf(parseEmail(email), context)
    const result = await createCommandModeration(context).deleteAccount(uid, createOrder('user delete', args))
    const nonZeroEffects = Object.fromEntries(Object.entries(result.effects).filter(([, rowCount]) => rowCount > 0))
    return { ...formatOutput({ ...result, effects: nonZeroEffects }, 'deleted'), data: result }
  },
})

export const userChangeAddressCommand = defineCommand({
  words: 'user change-address',
  summary: 'Gives an account another address, ends its logins, and tells the earlier address. The new one has to be verified by its owner.',
  options: {
    email: emailOption,
    to: { value: 'E', help: 'the new address', required: true },
    reason: reasonOption,
    'dry-run': dryRunOption,
    as: adminNameOption,
  },
  run: async ({ email, to, ...args }, context) => {
    const mailAddress = parseEmail(to, 'to')
    const { uid } = await requireAccountOf(parseEmail(email), context)
    const result = await createCommandModeration(context).changeAddress(uid, mailAddress, createOrder('user change-address', args))
    return formatOutput(result, `known as ${toPrintable(mailAddress)}`)
  },
})

export const reportsCommand = defineCommand({
  words: 'reports',
  summary: 'Lists what was reported about songs and shared playlists, newest first, that nobody has acted on.',
  options: { all: { help: 'also what was acted on, with what was done' }, limit: limitOption },
  run: async ({ all, limit }, context) => {
    const newestReports = await readNewestRows(limit, context, (rowsMax) => createCommandModeration(context).listReports(all, rowsMax))
    const reportLines = newestReports.map(({ target, title, reason, reported, done }) => {
      const targetText = title === '' ? target : `${target}  ${toPrintable(title)}`
      const doneText =
        done === undefined ? '' : `  (${done.outcome} at ${done.at} by ${toPrintable(done.actor)}: ${toPrintable(done.reason)})`
      return `${reported}  ${targetText}: ${toPrintable(reason)}${doneText}`
    })
    return { text: reportLines.length === 0 ? 'No report is open.' : reportLines.join('\n'), data: newestReports }
  },
})

export const reportsCloseCommand = defineCommand({
  words: 'reports close',
  summary: 'Closes the reports of a song, playlist or message about which nothing is to be done.',
  operands: { target: { help: "the target that 'reports' prints: 'song ID', 'list TOKEN' or 'message ID', in quotes" } },
  options: { reason: reasonOption, 'dry-run': dryRunOption, as: adminNameOption },
  run: async ({ target, ...args }, context) => {
    const result = await createCommandModeration(context).closeReports(target, createOrder('reports close', args))
    return formatOutput(result, 'closed')
  },
})

export const categoryRenameCommand = defineCommand({
  words: 'category rename',
  summary: 'Names a category, in place of its imported name. Later imports do not change it.',
  operands: { id: { help: 'the id of a category' }, name: { help: 'its new name' } },
  options: { reason: optionalReasonOption, 'dry-run': dryRunOption, as: adminNameOption },
  run: async ({ id, name, ...args }, context) => {
    const newName = name.trim()
    if (newName === '' || newName.length > NAME_MAX_LENGTH) throw new UsageError(`NAME must have 1 to ${NAME_MAX_LENGTH} characters`)
    const result = await createCommandModeration(context).renameCategory(id, newName, createOrder('category rename', args))
    return formatOutput(result, `named ${toPrintable(newName)}`)
  },
})

export const hiddenCommand = defineCommand({
  words: 'hidden',
  summary: 'Lists the songs and playlists that are hidden, with the reasons.',
  run: async (_args, context) => {
    const hiddenItems = await createCommandModeration(context).listHidden()
    const itemLines = hiddenItems.map(
      ({ kind, id, title, hidden }) => `${hidden?.since ?? ''}  ${kind} ${id}  ${toPrintable(title)}: ${toPrintable(hidden?.reason ?? '')}`,
    )
    return { text: itemLines.length === 0 ? 'Nothing is hidden.' : itemLines.join('\n'), data: hiddenItems }
  },
})

export const logCommand = defineCommand({
  words: 'log',
  summary: 'Lists what admins have done, newest first: when, who, by which command, to what, and why.',
  operands: { target: { help: "only actions on this: 'song ID', for instance", optional: true } },
  options: { limit: limitOption },
  run: async ({ target, limit }, context) => {
    const newestActions = await readNewestRows(limit, context, (rowsMax) => createCommandModeration(context).listActions(rowsMax, target))
    const actionLines = newestActions.map((loggedAction) => {
      const reason = loggedAction.reason === '' ? '' : `: ${toPrintable(loggedAction.reason)}`
      return `${loggedAction.at}  ${toPrintable(loggedAction.actor)}  ${loggedAction.command}  ${toPrintable(loggedAction.target)}  ${toPrintable(loggedAction.outcome)}${reason}`
    })
    return { text: actionLines.length === 0 ? 'No action is recorded.' : actionLines.join('\n'), data: newestActions }
  },
})
