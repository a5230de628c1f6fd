import type { ImportRow } from '../contract/import.ts'

export const HOSTILE_TITLE = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
export const HOSTILE_DESCRIPTION = [
  '<b>bold?</b> <script>document.title="owned"</script>',
  'A link: https://example.com/listen?a=1&b=2.',
  'Not a link: javascript:document.title="owned" and data:text/html,owned',
].join('\n')

/** The content of a news item that would run a script, load something, or cover the page if it were inserted without sanitising. */
const HOSTILE_CONTENT = [
  '<p>Words before.</p><img src=x onerror="document.title=\'owned\'"><svg/onload="document.title=\'owned\'">',
  '<a href="javascript:document.title=\'owned\'">No link</a><a href="//other.example/">No link either</a>',
  '<iframe srcdoc="<script>parent.document.title=1</script>"></iframe><form action="//other.example"><button>Send</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<p style="position:fixed;inset:0" onclick="document.title=\'owned\'">Words after.</p><script>document.title="owned"</script>',
].join('')
/** A text of ten thousand words whose last word is a link. */
const LONG_CONTENT = `${Array.from({ length: 100 }, (_, index) => `<p>${`word${index} `.repeat(100)}</p>`).join('')}<p><a href="/faq">The end</a></p>`
const RTL_CONTENT = '<p>مرحبا بكم في أخبارنا.</p><ul><li>واحد</li><li>اثنان</li></ul><blockquote>إقتباس</blockquote>'
export const NEWS_COUNT = 30

export const catalogueIds = {
  accented: 'acc_ent0001',
  accentedNext: 'acc_ent0002',
  hostile: 'host_ile001',
  firstLong: createLongPlaylistSongId(0),
  longPlaylist: 'ten-thousand',
  plainPlaylist: 'one-hundred-fifty',
  emptyPlaylist: 'nothing-here',
  hostilePlaylist: 'hostile',
  accentPlaylist: 'accents',
} as const

export const LONG_PLAYLIST_LENGTH = 10_000

export function createLongPlaylistSongId(index: number): string {
  return `long_${String(index).padStart(6, '0')}`
}

const electronicCategory = { category_id: 'electronic', category_name: 'Electronic' }
const createSongRow = (
  youtube_id: string,
  playlistTitle: string,
  author_name: string,
  rowOverrides: Partial<ImportRow<'songs'>> = {},
): ImportRow<'songs'> => ({
  youtube_id,
  title: playlistTitle,
  author_name,
  ...electronicCategory,
  date_added: '2024-03-01',
  duration: 200,
  description: '',
  ...rowOverrides,
})

export const MEMBER_COUNT = 10_000
/**
 * The names of the largest channels: markup, right-to-left text with an override character, emoji, no visible character, and one long word.
 */
export const hostileMembers = {
  html: HOSTILE_TITLE,
  rightToLeft: 'موسيقى ليلية \u202egnp.exe',
  emoji: '🎧👩‍🎤',
  invisible: '\u200b\u2060',
  longWord: 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk'.repeat(5),
} as const
export const createMemberName = (index: number) => `Channel ${String(index + 1).padStart(5, '0')}`

/** The testimonials of the largest channels: markup, right-to-left text, one long word, and a text so long that it has to be folded. */
const hostileTestimonials = [HOSTILE_DESCRIPTION, 'موسيقى ليلية', hostileMembers.longWord, 'word '.repeat(1000).trim()]

/** Returns supporters with the hostile names of members. A supporter's name must be visible. */
const createSupporters = (): ImportRow<'supporters'>[] =>
  Object.values(hostileMembers)
    .filter((name) => name !== hostileMembers.invisible)
    .map((name, index) => ({ domain_name: `supporter-${index}`, name }))

/** Returns members, largest channel first: those with hostile names, then those named `createMemberName(0)`, `createMemberName(1)` and so on. */
function createMembers(): ImportRow<'members'>[] {
  const hostileNames = Object.values(hostileMembers)
  return Array.from({ length: MEMBER_COUNT }, (_, index) => ({
    channel_id: `UC test/${index}?`,
    channel_name: hostileNames[index] ?? createMemberName(index - hostileNames.length),
    sub_tag: index === 0 ? HOSTILE_TITLE.slice(0, 100) : '',
    testimonial: hostileTestimonials[index] ?? '',
    subs: 2 * MEMBER_COUNT - index,
  }))
}

/** Returns news items, newest first: hostile, long and right-to-left ones, then simple ones up to `NEWS_COUNT`. */
function createNews(): ImportRow<'feed'>[] {
  const unusualNews = [
    {
      id: 'hostile',
      title: HOSTILE_TITLE,
      content: HOSTILE_CONTENT,
      url: 'https://example.com/a',
      image: 'https://pictures.invalid/no.png',
    },
    { id: 'long', title: `${'Donaudampfschifffahrt'.repeat(12)} in ten thousand words`, content: LONG_CONTENT, url: '/playlists' },
    { id: 'rtl', title: 'أخبار اليوم', content: RTL_CONTENT },
    // The id of an HTML element that every page has.
    { id: 'main', title: 'An item with the id of another element', content: '' },
  ]
  const plainNews = Array.from({ length: NEWS_COUNT - unusualNews.length }, (_, index) => ({
    id: `plain-${index}`,
    title: `Update ${index + 1}`,
    content: '<p>Nothing unusual.</p>',
  }))
  return [...unusualNews, ...plainNews].map((newsItem, index) => ({
    ...newsItem,
    date: new Date(Date.UTC(2026, 0, 31 - index)).toISOString().slice(0, 10),
  }))
}

interface TestCatalogue {
  songs: ImportRow<'songs'>[]
  playlists: ImportRow<'playlists'>[]
  members: ImportRow<'members'>[]
  supporters: ImportRow<'supporters'>[]
  feed: ImportRow<'feed'>[]
}

/** Returns the rows of the test catalogue, which covers cases that the demo catalogue lacks. */
export function createTestCatalogue(): TestCatalogue {
  const longPlaylistSongs = Array.from({ length: LONG_PLAYLIST_LENGTH }, (_, index) =>
    createSongRow(createLongPlaylistSongId(index), `Long road ${String(index + 1).padStart(5, '0')}`, `Driver ${index % 40}`, {
      category_id: 'road',
      category_name: 'Road',
    }),
  )
  return {
    members: createMembers(),
    supporters: createSupporters(),
    feed: createNews(),
    songs: [
      createSongRow(catalogueIds.accented, 'Señorita Über Café', 'Björk Ångström', { date_added: '2020-01-05' }),
      createSongRow(catalogueIds.accentedNext, 'Ærlig Łódź', 'Björk Ångström', { date_added: '2021-06-07' }),
      createSongRow('acc_ent0003', 'Zebra Crossing', 'Driver 1', { date_added: new Date().toISOString().slice(0, 10) }),
      createSongRow(catalogueIds.hostile, HOSTILE_TITLE, '"><svg onload=alert(1)>', { description: HOSTILE_DESCRIPTION }),
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
