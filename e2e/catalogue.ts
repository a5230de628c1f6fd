import type { ImportRow } from '../contract/import.ts'

export const HOSTILE_TITLE = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
export const HOSTILE_DESCRIPTION = [
  '<b>bold?</b> <script>document.title="owned"</script>',
  'A link: https://example.com/listen?a=1&b=2.',
  'Not a link: javascript:document.title="owned" and data:text/html,owned',
].join('\n')

export const ids = {
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

const category = { category_id: 'electronic', category_name: 'Electronic' }
const song = (youtube_id: string, title: string, author_name: string, more: Partial<ImportRow<'songs'>> = {}): ImportRow<'songs'> => ({
  youtube_id,
  title,
  author_name,
  ...category,
  date_added: '2024-03-01',
  duration: 200,
  description: '',
  ...more,
})

/** A catalogue for what the demo does not hold. */
export function ownCatalogue(): { songs: ImportRow<'songs'>[]; playlists: ImportRow<'playlists'>[] } {
  const long = Array.from({ length: LONG_COUNT }, (_, index) =>
    song(longId(index), `Long road ${String(index + 1).padStart(5, '0')}`, `Driver ${index % 40}`, {
      category_id: 'road',
      category_name: 'Road',
    }),
  )
  return {
    songs: [
      song(ids.accented, 'Señorita Über Café', 'Björk Ångström', { date_added: '2020-01-05' }),
      song(ids.accentedNext, 'Ærlig Łódź', 'Björk Ångström', { date_added: '2021-06-07' }),
      song('acc_ent0003', 'Zebra Crossing', 'Driver 1', { date_added: new Date().toISOString().slice(0, 10) }),
      song(ids.hostile, HOSTILE_TITLE, '"><svg onload=alert(1)>', { description: HOSTILE_DESCRIPTION }),
      ...long,
    ],
    playlists: [
      { id: ids.accentPlaylist, title: 'Årets Låtar', ...category, home: true, songs: [ids.accented, ids.accentedNext, 'acc_ent0003'] },
      {
        id: ids.hostilePlaylist,
        title: HOSTILE_TITLE,
        ...category,
        description: HOSTILE_DESCRIPTION,
        home: true,
        songs: [ids.hostile, ids.accented],
      },
      { id: ids.emptyPlaylist, title: 'Nothing here', ...category, songs: [] },
      {
        id: ids.plainPlaylist,
        title: 'One hundred fifty',
        category_id: 'road',
        category_name: 'Road',
        songs: long.slice(0, 150).map((each) => each.youtube_id),
      },
      {
        id: ids.longPlaylist,
        title: 'Ten thousand',
        category_id: 'road',
        category_name: 'Road',
        home: true,
        songs: long.map((each) => each.youtube_id),
      },
    ],
  }
}
