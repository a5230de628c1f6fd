import type { ImportRow } from '../contract/import.ts'

export const HOSTILE_TITLE = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
export const HOSTILE_DESCRIPTION = [
  '<b>bold?</b> <script>document.title="owned"</script>',
  'A link: https://example.com/listen?a=1&b=2.',
  'Not a link: javascript:document.title="owned" and data:text/html,owned',
].join('\n')

export const catalogueIds = {
  accented: 'acc_ent0001',
  accentedNext: 'acc_ent0002',
  hostile: 'host_ile001',
  firstLong: longId(0),
  longPlaylist: 'ten-thousand',
  plainPlaylist: 'one-hundred-fifty',
  emptyPlaylist: 'nothing-here',
  hostilePlaylist: 'hostile',
  accentPlaylist: 'accents',
} as const

export const LONG_COUNT = 10_000

export function longId(index: number): string {
  return `long_${String(index).padStart(6, '0')}`
}

const electronicCategory = { category_id: 'electronic', category_name: 'Electronic' }
const songRow = (
  youtube_id: string,
  title: string,
  author_name: string,
  overrides: Partial<ImportRow<'songs'>> = {},
): ImportRow<'songs'> => ({
  youtube_id,
  title,
  author_name,
  ...electronicCategory,
  date_added: '2024-03-01',
  duration: 200,
  description: '',
  ...overrides,
})

export const MEMBER_COUNT = 10_000
/** The names of the largest channels: markup, right to left with an override, emoji, no visible character, and one long word. */
export const hostileMembers = {
  html: HOSTILE_TITLE,
  rightToLeft: 'موسيقى ليلية \u202egnp.exe',
  emoji: '🎧👩‍🎤',
  invisible: '\u200b\u2060',
  longWord: 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk'.repeat(5),
} as const
export const memberName = (index: number) => `Channel ${String(index + 1).padStart(5, '0')}`

/** Returns members, largest channel first: those with hostile names, then `memberName(0)`, `memberName(1)` and so on. */
function createMembers(): ImportRow<'members'>[] {
  const names = Object.values(hostileMembers)
  return Array.from({ length: MEMBER_COUNT }, (_, index) => ({
    channel_id: `UC test/${index}?`,
    channel_name: names[index] ?? memberName(index - names.length),
    sub_tag: index === 0 ? HOSTILE_TITLE.slice(0, 100) : '',
    subs: 2 * MEMBER_COUNT - index,
  }))
}

/** Returns the rows of the test catalogue: cases that the demo catalogue does not have. */
export function createTestCatalogue(): {
  songs: ImportRow<'songs'>[]
  playlists: ImportRow<'playlists'>[]
  members: ImportRow<'members'>[]
} {
  const longPlaylistSongs = Array.from({ length: LONG_COUNT }, (_, index) =>
    songRow(longId(index), `Long road ${String(index + 1).padStart(5, '0')}`, `Driver ${index % 40}`, {
      category_id: 'road',
      category_name: 'Road',
    }),
  )
  return {
    members: createMembers(),
    songs: [
      songRow(catalogueIds.accented, 'Señorita Über Café', 'Björk Ångström', { date_added: '2020-01-05' }),
      songRow(catalogueIds.accentedNext, 'Ærlig Łódź', 'Björk Ångström', { date_added: '2021-06-07' }),
      songRow('acc_ent0003', 'Zebra Crossing', 'Driver 1', { date_added: new Date().toISOString().slice(0, 10) }),
      songRow(catalogueIds.hostile, HOSTILE_TITLE, '"><svg onload=alert(1)>', { description: HOSTILE_DESCRIPTION }),
      ...longPlaylistSongs,
    ],
    playlists: [
      {
        id: catalogueIds.accentPlaylist,
        title: 'Årets Låtar',
        ...electronicCategory,
        home: true,
        songs: [catalogueIds.accented, catalogueIds.accentedNext, 'acc_ent0003'],
      },
      {
        id: catalogueIds.hostilePlaylist,
        title: HOSTILE_TITLE,
        ...electronicCategory,
        description: HOSTILE_DESCRIPTION,
        home: true,
        songs: [catalogueIds.hostile, catalogueIds.accented],
      },
      { id: catalogueIds.emptyPlaylist, title: 'Nothing here', ...electronicCategory, songs: [] },
      {
        id: catalogueIds.plainPlaylist,
        title: 'One hundred fifty',
        category_id: 'road',
        category_name: 'Road',
        songs: longPlaylistSongs.slice(0, 150).map((each) => each.youtube_id),
      },
      {
        id: catalogueIds.longPlaylist,
        title: 'Ten thousand',
        category_id: 'road',
        category_name: 'Road',
        home: true,
        songs: longPlaylistSongs.map((each) => each.youtube_id),
      },
    ],
  }
}
