import type { BrowserContext, Page } from '@playwright/test'
import type { Playlist } from '../../contract/playlist.ts'
import type { Song } from '../../contract/song.ts'
import { addRecentPlays } from '../recent-plays.ts'
import { locatePlayerButton, mainNavigation, mainRegion, pageHeading, playerRegion, serveAppShell, waitForHydration } from '../steps.ts'
import type { Screenshot } from './shot.ts'

/** Long titles and artists, in twelve scripts. */
const longNames = [
  [
    'The sky above the port was the colour of television, tuned to a dead channel (Nightcore remix, extended version)',
    'The Very Long Names',
  ],
  ['真夜中のドアを開けて、あなたのいない街をひとりで歩き続ける夜のドライブ（スローバージョン）', '東京ナイトクラブ・オーケストラ'],
  ['사랑했지만 그대를 사랑했지만 그저 이렇게 멀리서 바라볼 뿐 다가설 수 없어', '김광석과 친구들'],
  ['月亮代表我的心輕輕的一個吻已經打動我的心深深的一段情教我思念到如今', '鄧麗君'],
  ['Подмосковные вечера и бесконечные электрические ночи над рекой, замедленная версия', 'Государственный академический хор'],
  ['أغنية طويلة جدا عن ليلة صيف لا تنتهي وعن البحر والقمر والذكريات القديمة', 'فرقة الموسيقى العربية'],
  ['שיר ארוך מאוד על לילה אחד בתל אביב, על הים ועל כל מה שנשאר מאחור', 'תזמורת הלילה'],
  ['तुम आ गए हो नूर आ गया है नहीं तो चराग़ों से लौ जा रही थी', 'लता मंगेशकर और किशोर कुमार'],
  ['Ένα πολύ μεγάλο τραγούδι για μια νύχτα δίπλα στη θάλασσα που δεν τελειώνει ποτέ', 'Ορχήστρα Νυκτός'],
  ['เพลงยาวมากเกี่ยวกับคืนหนึ่งริมทะเลที่ไม่มีวันสิ้นสุดและความทรงจำเก่าๆ', 'วงดนตรียามค่ำคืน'],
  ['என்றும் முடியாத ஒரு கோடை இரவைப் பற்றிய மிக நீண்ட பாடல்', 'இரவு இசைக்குழு'],
  ['Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft', 'Eisenbahnknotenpunkthinundherschieber'],
] as const

/** The rows of the demo catalogue that the screenshots show. */
export interface CatalogueRows {
  playlist: Playlist
  /** Songs of `playlist`. */
  songs: readonly Song[]
  /** The path of the page of one of the songs. */
  songPath: string
}

const createAnswer = (data: unknown) => ({ json: { code: 200, message: 'OK', data } })
const openDockQueue = async (page: Page) => {
  await locatePlayerButton(page, 'Queue').click()
  await page.getByRole('dialog', { name: 'Queue' }).waitFor()
}

/** Lists the screenshots of the home page, searches, lists and the queue in states that need a history, a search or a song that plays. */
export function createCatalogueScreenshots({ playlist, songs, songPath }: CatalogueRows): Screenshot[] {
  const playlistPath = `/playlist?p=${playlist.id}`
  const longSongs = songs.slice(0, longNames.length).map((song, index) => {
    const [title = '', author_name = ''] = longNames[index] ?? []
    return { ...song, title, author_name }
  })
  /** Replaces the titles and artists of the catalogue by long ones. */
  const serveLongNames = async (context: BrowserContext) => {
    await serveAppShell(context)
    await context.route('**/api/playlist/get*', (route) =>
      route.fulfill(
        createAnswer({
          playlist: { ...playlist, title: longNames[1][0], description: longNames[5][0], song_count: longSongs.length },
          songs: longSongs,
        }),
      ),
    )
    await context.route('**/api/song/get*', (route) => {
      const id = new URL(route.request().url()).searchParams.get('s')
      return route.fulfill(createAnswer({ ...longSongs.find(({ youtube_id }) => youtube_id === id), description: longNames[7][0] }))
    })
    await context.route('**/api/song/{search,related}*', (route) => route.fulfill(createAnswer(longSongs)))
  }
  const openLongSong = (index: number) => async (page: Page) => {
    await mainRegion(page)
      .getByRole('link', { name: longNames[index]?.[0] ?? '' })
      .first()
      .click()
    await locatePlayerButton(page, 'Pause').waitFor()
  }
  const playAndLeave = async (page: Page) => {
    await locatePlayerButton(page, 'Pause').waitFor()
    await mainNavigation(page).getByRole('link').first().click()
    await playerRegion(page).waitFor()
  }
  return [
    { name: 'home-history', path: '/', showState: (page) => addRecentPlays(page, songs.slice(0, 6)) },
    { name: 'home-history-one', path: '/', showState: (page) => addRecentPlays(page, songs.slice(0, 1)) },
    { name: 'home-history-full', path: '/', fullPage: true, showState: (page) => addRecentPlays(page, songs.slice(0, 6)) },
    { name: 'search-start', path: '/search', fullPage: true },
    {
      name: 'search-start-searches',
      path: '/search?q=night',
      showState: async (page) => {
        await waitForHydration(page)
        for (const searchText of ['夜のドライブ', 'jim yosef', 'slowed reverb 2026 edit'])
          await page.evaluate((searchQuery) => {
            const link = Object.assign(document.createElement('a'), { href: `/search?q=${encodeURIComponent(searchQuery)}` })
            document.body.append(link)
            link.click()
            link.remove()
          }, searchText)
        await page.waitForTimeout(500)
        await page.goto(new URL('/search', page.url()).href)
      },
    },
    {
      name: 'search-did-you-mean',
      path: `/search?q=${songs[0]?.author_name.slice(0, -1)}zq`,
      showState: (page) => mainRegion(page).getByText('Did you mean').waitFor(),
    },
    {
      name: 'radio-dock',
      path: '/',
      showState: async (page) => {
        await waitForHydration(page)
        await mainRegion(page).getByRole('heading', { name: 'Radio', exact: true }).scrollIntoViewIfNeeded()
        await mainRegion(page).getByRole('button', { name: 'Play the radio' }).click()
        await page.locator('iframe').first().waitFor()
        await mainRegion(page).locator('a[href="/playlists"]').first().click()
        await page.getByRole('region', { name: 'Radio', exact: true }).waitFor()
        await page.waitForTimeout(600)
      },
    },
    {
      name: 'home-search-start',
      path: '/',
      showState: async (page) => {
        await waitForHydration(page)
        await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
        await page.getByRole('listbox').getByRole('option').first().waitFor()
      },
    },
    { name: 'playlist-first', path: playlistPath },
    {
      name: 'playlist-filter',
      path: playlistPath,
      showState: async (page) => {
        await waitForHydration(page)
        await mainRegion(page).getByRole('button', { name: 'Sort and filter' }).click()
        await mainRegion(page)
          .getByRole('searchbox', { name: 'Filter' })
          .fill(songs[3]?.title.slice(0, 5) ?? '')
      },
    },
    {
      name: 'dock-queue',
      path: songPath,
      showState: async (page) => {
        await playAndLeave(page)
        await openDockQueue(page)
      },
    },
    {
      name: 'dock-queue-cleared',
      path: songPath,
      showState: async (page) => {
        await playAndLeave(page)
        await openDockQueue(page)
        await page.getByRole('dialog', { name: 'Queue' }).getByRole('button', { name: 'Clear' }).click()
        await page.getByRole('button', { name: 'Undo' }).waitFor()
      },
    },
    { name: 'long-playlist', path: playlistPath, prepare: serveLongNames, fullPage: true },
    { name: 'long-search', path: '/search?q=night', prepare: serveLongNames, fullPage: true },
    { name: 'long-song', path: playlistPath, prepare: serveLongNames, showState: openLongSong(1) },
    { name: 'long-song-rtl', path: playlistPath, prepare: serveLongNames, showState: openLongSong(5) },
    { name: 'long-song-word', path: playlistPath, prepare: serveLongNames, showState: openLongSong(11) },
    ...[1, 5, 11].map((index) => ({
      name: `long-dock-${index}`,
      path: playlistPath,
      prepare: serveLongNames,
      showState: async (page: Page) => {
        await openLongSong(index)(page)
        await playAndLeave(page)
      },
    })),
    {
      name: 'long-dock-queue',
      path: playlistPath,
      prepare: serveLongNames,
      showState: async (page) => {
        await openLongSong(0)(page)
        await playAndLeave(page)
        await openDockQueue(page)
      },
    },
    {
      name: 'song-loading',
      path: playlistPath,
      showState: async (page, context) => {
        await waitForHydration(page)
        await context.route('**/api/song/get*', () => {})
        await mainRegion(page).locator('a[href^="/song?"]').first().click()
        await pageHeading(page)
          .filter({ hasText: songs[0]?.title ?? '' })
          .waitFor()
      },
    },
    {
      name: 'song-unplayable',
      path: songPath,
      prepare: (context) => context.route(/youtube(-nocookie)?\.com/, (route) => route.abort('internetdisconnected')),
      showState: (page) => playerRegion(page).getByRole('alert').waitFor({ timeout: 60_000 }),
    },
  ]
}
