import { userInfo } from 'node:os'
import { parseVideoId } from '../../contract/youtube.ts'
import { type CommandContext, type CommandOutput, defineCommand, toPrintable, UsageError } from '../admin/command.ts'
import { type ActionResult, createModeration, type Moderation, type Order } from './moderation.ts'
import type { CatalogueItemKind } from './store-catalogue.ts'

const REASON_MAX_LENGTH = 200
const NAME_MAX_LENGTH = 300

const reasonOption = { value: 'TEXT', help: 'why, in a sentence; the log states it', required: true } as const
const optionalReason = { value: 'TEXT', help: 'why, in a sentence; the log states it' } as const
const asOption = { value: 'NAME', help: 'who you are, for the log; without it, the user of the system' } as const
const dryRunOption = { help: 'say what would change, and change nothing' } as const

/** Returns the name of the person who runs the command: behind `sudo`, the one who called it. */
function currentUser(): string {
  try {
    return process.env.SUDO_USER ?? userInfo().username
  } catch {
    // The process runs under a uid that has no name.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

/** Returns the trimmed text of an option. @throws UsageError if it is empty or too long */
function parseText(option: string, text: string, maxLength = REASON_MAX_LENGTH): string {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > maxLength) throw new UsageError(`--${option} must have 1 to ${maxLength} characters`)
  return trimmed
}

interface OrderArguments {
  reason?: string | undefined
  as?: string | undefined
  'dry-run'?: boolean
}

const orderOf = (command: string, { reason, as, 'dry-run': isDryRun = false }: OrderArguments): Order => ({
  actor: as === undefined ? currentUser() : parseText('as', as, 100),
  command,
  reason: reason === undefined ? '' : parseText('reason', reason),
  isDryRun,
})

const moderationOf = ({ storage }: CommandContext): Moderation => createModeration(storage, Date.now)

/** Returns the numbers of an action in words: `3 playlists, 12 favorites`. */
const effectsText = (effects: ActionResult['effects']) =>
  Object.entries(effects)
    .map(([kind, count]) => `${kind.replaceAll('_', ' ')}: ${count}`)
    .join(', ')

function outputOf(result: ActionResult, done: string): CommandOutput {
  const { dry_run, target, title, effects } = result
  const name = title === '' ? target : `${target} (${toPrintable(title)})`
  const text = dry_run ? `Nothing is changed. The ${name} would be ${done}.` : `The ${name} is ${done}.`
  return { text: `${text} It concerns ${effectsText(effects)}.`, data: result }
}

const songOperand = { id: { help: 'the id or a URL of its video' } } as const
const playlistOperand = { id: { help: 'the id of a playlist of the catalogue, or the address of its page' } } as const

function parseSongId(text: string): string {
  const id = parseVideoId(text)
  if (id === undefined) throw new UsageError(`'${toPrintable(text)}' is neither a video id nor a URL of a video`)
  return id
}

function parsePlaylistId(text: string): string {
  const id = URL.canParse(text) ? (new URL(text).searchParams.get('p') ?? '') : text
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id))
    throw new UsageError(`'${toPrintable(text)}' is neither the id of a playlist nor the address of its page`)
  return id
}

const kinds = {
  song: { operands: songOperand, parseId: parseSongId },
  playlist: { operands: playlistOperand, parseId: parsePlaylistId },
} as const

const createHideCommand = (kind: CatalogueItemKind) =>
  defineCommand({
    words: `${kind} hide`,
    summary: `Takes a ${kind} out of the catalogue, with every list, search, radio and feed, until it is shown again. Imports do not bring it back.`,
    operands: kinds[kind].operands,
    options: { reason: reasonOption, 'dry-run': dryRunOption, as: asOption },
    run: async ({ id, ...args }, context) =>
      outputOf(await moderationOf(context).hide(kind, kinds[kind].parseId(id), orderOf(`${kind} hide`, args)), 'hidden'),
  })

const createShowCommand = (kind: CatalogueItemKind) =>
  defineCommand({
    words: `${kind} show`,
    summary: `Puts a hidden ${kind} back where it was.`,
    operands: kinds[kind].operands,
    options: { reason: optionalReason, 'dry-run': dryRunOption, as: asOption },
    run: async ({ id, ...args }, context) =>
      outputOf(await moderationOf(context).show(kind, kinds[kind].parseId(id), orderOf(`${kind} show`, args)), 'shown'),
  })

const createDeleteCommand = (kind: CatalogueItemKind) =>
  defineCommand({
    words: `${kind} delete`,
    summary: `Deletes a ${kind} from the catalogue. An import that contains it adds it again.`,
    operands: kinds[kind].operands,
    options: { reason: reasonOption, 'dry-run': dryRunOption, as: asOption },
    run: async ({ id, ...args }, context) =>
      outputOf(await moderationOf(context).remove(kind, kinds[kind].parseId(id), orderOf(`${kind} delete`, args)), 'deleted'),
  })

export const songHideCommand = createHideCommand('song')
export const songShowCommand = createShowCommand('song')
export const songDeleteCommand = createDeleteCommand('song')
export const playlistHideCommand = createHideCommand('playlist')
export const playlistShowCommand = createShowCommand('playlist')
export const playlistDeleteCommand = createDeleteCommand('playlist')

export const categoryRenameCommand = defineCommand({
  words: 'category rename',
  summary: 'Names a category, in place of its imported name. Later imports do not change it.',
  operands: { id: { help: 'the id of a category' }, name: { help: 'its new name' } },
  options: { reason: optionalReason, 'dry-run': dryRunOption, as: asOption },
  run: async ({ id, name, ...args }, context) => {
    const newName = name.trim()
    if (newName === '' || newName.length > NAME_MAX_LENGTH) throw new UsageError(`NAME must have 1 to ${NAME_MAX_LENGTH} characters`)
    const result = await moderationOf(context).renameCategory(id, newName, orderOf('category rename', args))
    return outputOf(result, `named ${toPrintable(newName)}`)
  },
})

export const hiddenCommand = defineCommand({
  words: 'hidden',
  summary: 'Lists the songs and playlists that are hidden, with the reasons.',
  run: async (_args, context) => {
    const items = await moderationOf(context).listHidden()
    const lines = items.map(
      ({ kind, id, title, hidden }) => `${hidden?.since ?? ''}  ${kind} ${id}  ${toPrintable(title)}: ${toPrintable(hidden?.reason ?? '')}`,
    )
    return { text: lines.length === 0 ? 'Nothing is hidden.' : lines.join('\n'), data: items }
  },
})

export const logCommand = defineCommand({
  words: 'log',
  summary: 'Lists what admins have done, newest first: when, who, by which command, to what, and why.',
  operands: { target: { help: "only actions on this: 'song ID', for instance", optional: true } },
  run: async ({ target }, context) => {
    const actions = await moderationOf(context).listActions(target)
    const lines = actions.map((action) => {
      const reason = action.reason === '' ? '' : `: ${toPrintable(action.reason)}`
      return `${action.at}  ${toPrintable(action.actor)}  ${action.command}  ${toPrintable(action.target)}  ${toPrintable(action.outcome)}${reason}`
    })
    return { text: lines.length === 0 ? 'No action is recorded.' : lines.join('\n'), data: actions }
  },
})
