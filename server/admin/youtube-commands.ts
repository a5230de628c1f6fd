import { isReservedContextId } from '../../contract/playlist-rules.ts'
import { type CommandContext, type CommandOutput, defineCommand, toPrintable, UsageError } from './command.ts'
import { importMembers } from './youtube/import-members.ts'
import { importPlaylist, type PlaylistImport } from './youtube/import-playlist.ts'
import { formatCounts } from './youtube/import-run.ts'
import { createYoutubeApi, InterruptedError } from './youtube/youtube-api.ts'

const ID_PATTERN = /^[A-Za-z0-9_-]{1,100}$/

/** Returns the playlist id from a text that is the id itself or a URL with the parameter `list`. @throws UsageError if the text is neither */
function parsePlaylistId(playlistText: string): string {
  const playlistId = URL.canParse(playlistText) ? new URL(playlistText).searchParams.get('list') : playlistText
  if (playlistId === null || !ID_PATTERN.test(playlistId))
    throw new UsageError(`'${toPrintable(playlistText)}' is neither the id of a playlist nor a URL with one`)
  return playlistId
}

/** Validates the id of a playlist or category of the site. @throws UsageError if it is not valid */
function parseSiteId(optionName: string, optionValue: string): string {
  if (!ID_PATTERN.test(optionValue))
    throw new UsageError(`--${optionName} must be letters, digits, - and _, not '${toPrintable(optionValue)}'`)
  if (isReservedContextId(optionValue))
    throw new UsageError(`--${optionName} cannot be '${optionValue}', which is taken by the site itself`)
  return optionValue
}

const formatCountWithNoun = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function describeLeftOutSongs(counts: Readonly<Record<string, number>>): string {
  return Object.keys(counts).length === 0 ? '' : ` Left out: ${formatCounts(counts)}.`
}

async function runPlaylistImport(context: CommandContext, request: PlaylistImport): Promise<CommandOutput> {
  const importSummary = await importPlaylist({ ...context, api: createYoutubeApi(context.config.youtube) }, request)
  const { playlist, songs, added, left_out } = importSummary
  return {
    text: `The playlist ${playlist} has ${formatCountWithNoun(songs, 'song')}; ${added} were new to the catalogue.${describeLeftOutSongs(left_out)}`,
    data: importSummary,
  }
}

async function runMembersImport(context: CommandContext): Promise<CommandOutput> {
  const importSummary = await importMembers({ ...context, api: createYoutubeApi(context.config.youtube) })
  const { members, added, playlists, left_out, unreadable } = importSummary
  const submittedText = Object.keys(playlists).length === 0 ? '' : ` Submitted: ${formatCounts(playlists)}.`
  const unreadText = Object.entries(unreadable).map(([channel, reason]) => `\nNot read: ${toPrintable(channel)}: ${reason}`)
  return {
    text: `The uploads of ${formatCountWithNoun(members, 'member')} are read; ${formatCountWithNoun(added, 'song')} were new to the catalogue.${submittedText}${describeLeftOutSongs(left_out)}${unreadText.join('')}`,
    data: importSummary,
  }
}

export const catalogImportYoutubeCommand = defineCommand({
  words: 'catalog import-youtube',
  summary: "Reads a playlist of YouTube, or the members' uploads, into the catalogue.",
  details: [
    'A second run reads only what is new, and one after an interruption goes on where it stopped. YOUTUBE_API_KEY is needed.',
    'With --members, #<playlist id> in the description of an upload adds it to that playlist of the site.',
  ].join('\n'),
  options: {
    playlist: { value: 'ID', help: "the id or URL of YouTube's playlist" },
    into: { value: 'ID', help: "the site's playlist; without it, one with YouTube's id" },
    category: { value: 'ID', help: 'the category of the playlist and of its new songs' },
    members: { help: 'read the uploads of the members and the Academy' },
  },
  run: async ({ playlist, into, category, members }, context) => {
    if ((playlist === undefined) !== members) throw new UsageError('Either --playlist or --members is needed, and not both')
    if (members && (into ?? category) !== undefined) throw new UsageError('--into and --category belong to --playlist')
    const youtubeId = playlist === undefined ? undefined : parsePlaylistId(playlist)
    const categoryId = category === undefined ? undefined : parseSiteId('category', category)
    try {
      if (youtubeId === undefined) return await runMembersImport(context)
      return await runPlaylistImport(context, { youtubeId, playlistId: parseSiteId('into', into ?? youtubeId), categoryId })
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error
      throw new InterruptedError(`${error.message}. Run the same command later: it goes on from there.`)
    }
  },
})
