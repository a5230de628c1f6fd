import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { ImportRow } from '../contract/import.ts'

export interface CatalogueSize {
  songs: number
  playlists: number
}

/** The numbers of songs of the first playlists, limited by the size of the catalogue. Every other playlist has 5 to 60 songs. */
export const fixedPlaylists = [
  { id: 'bench-10000', songs: 10_000 },
  { id: 'bench-100', songs: 100 },
] as const

const firstTitleWords = [
  'Neon',
  'Velvet',
  'Señorita',
  'Midnight',
  'Über',
  'Crystal',
  'Étoile',
  'Silver',
  'Paper',
  'Electric',
  'Årstid',
  'Golden',
  'Løvetann',
  'Distant',
  'Łódź',
  'Hollow',
  'Scarlet',
  'Naïve',
  'Phantom',
  'Winter',
  'Électrique',
  'Broken',
  'Silent',
  'Cœur',
  'Gravity',
  'Fading',
  'Ocean',
  'Lunar',
  'Żółty',
  'Burning',
  '夜の',
  'Северный',
  'Plastic',
  'Sugar',
  'Radio',
  'Infinite',
  'Wild',
  'Façade',
  'Tokyo',
  'Arctic',
]
const secondTitleWords = [
  'Rain',
  'Circuit',
  'Café',
  'Lights',
  'Skyline',
  'Morning',
  'Horizon',
  'Ferry',
  'Bloom',
  'Mirage',
  'Señal',
  'Echo',
  'Avenue',
  'Garden',
  'Straße',
  'Machine',
  'River',
  'Memory',
  'Signal',
  'Fête',
  'Shadow',
  'Summer',
  'Engine',
  'Ångström',
  'Arcade',
  'Letters',
  'Station',
  'Thunder',
  'Déjà Vu',
  'Satellite',
  'Harbour',
  'Winter',
  'Dream',
  'Fever',
  'Mañana',
  '東京',
  'Свет',
  'Pulse',
  'Velocity',
  'Motel',
]
const thirdTitleWords = [
  'Forever',
  'Tonight',
  'Again',
  'Reprise',
  'in Blue',
  'for You',
  'Pt. II',
  'Above',
  'Below',
  'Part One',
  'At Dawn',
  '160',
  'After Hours',
  'No More',
  'Remedy',
  'of Glass',
]
const givenNames = [
  'Otto',
  'Sable',
  'Aiko',
  'Inès',
  'Nova',
  'Björk',
  'Kirano',
  'José',
  'Zoë',
  'Lars',
  'Mårten',
  'Chloé',
  'Tomasz',
  'Yuki',
  'Søren',
  'Ada',
  'Renée',
  'Milo',
  'Íris',
  'Pavel',
]
const familyNames = [
  'Venn',
  'Drift',
  'Hale',
  'Calder',
  'Łukasz',
  'Müller',
  'Ström',
  'Okafor',
  'García',
  'Tanaka',
  'Novák',
  'Dubois',
  'Ødegård',
  'Silva',
  'Kovač',
  'Lind',
  'Moreau',
  'Hart',
  'Ivanov',
  'Quist',
]
const categories = [
  'Electronic',
  'House',
  'Drum & Bass',
  'Trap',
  'Phonk',
  'Pop',
  'Rock',
  'Lo-fi',
  'Hardstyle',
  'Future Bass',
  'Ambient',
  'Synthwave',
]

/** Hashes an index, so that each row is the same in every run. */
function hashIndex(index: number, hashSalt: number): number {
  let hashState = (index + 1) * 0x9e3779b1 + hashSalt * 0x85ebca6b
  hashState = Math.imul(hashState ^ (hashState >>> 16), 0x7feb352d)
  hashState = Math.imul(hashState ^ (hashState >>> 15), 0x846ca68b)
  return (hashState ^ (hashState >>> 16)) >>> 0
}

const pickFrom = (list: readonly string[], index: number, hashSalt: number) => list[hashIndex(index, hashSalt) % list.length] ?? ''

/** Returns an id of eleven characters like a YouTube video id, unique for each index below 64^5. */
export function createBenchSongId(songIndex: number): string {
  const idLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  let remainingIndex = songIndex
  let songId = ''
  for (let position = 0; position < 5; position++) {
    songId = idLetters.charAt(remainingIndex % 64) + songId
    remainingIndex = Math.floor(remainingIndex / 64)
  }
  return `bench_${songId}`
}

const syllables = [
  'ka',
  'lo',
  'mé',
  'ri',
  'sun',
  'ta',
  'vel',
  'no',
  'shi',
  'dra',
  'el',
  'fö',
  'gan',
  'ho',
  'ira',
  'jo',
  'ku',
  'lys',
  'mar',
  'nei',
  'ost',
  'pra',
  'qui',
  'ras',
  'sol',
  'tyn',
  'ura',
  'vi',
  'wen',
  'zar',
]

/** Returns a word that hardly any other title has. */
const pickRareWord = (songIndex: number) => {
  const word = [31, 32, 33].map((hashSalt) => pickFrom(syllables, songIndex, hashSalt)).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const createSongTitle = (songIndex: number) => {
  const titleWords = [
    pickFrom(firstTitleWords, songIndex, 1),
    songIndex % 3 === 0 ? pickRareWord(songIndex) : pickFrom(secondTitleWords, songIndex, 2),
  ]
  if (songIndex % 2 === 0) titleWords.push(pickFrom(thirdTitleWords, songIndex, 3))
  if (songIndex % 5 === 0) titleWords.push(`(${pickFrom(familyNames, songIndex, 4)} Remix)`)
  return titleWords.join(' ')
}

const createCategoryName = (rowIndex: number) => {
  const name = pickFrom(categories, rowIndex, 5)
  return { category_id: name.toLowerCase().replace(/[^a-z]+/g, '-'), category_name: name }
}

/** Returns one of about 40,000 authors, unevenly distributed: some have one song of a million, some hundreds. */
const pickAuthor = (songIndex: number) => {
  const authorNumber = Math.floor((hashIndex(songIndex, 7) / 2 ** 32) ** 2 * 40_000)
  return `${pickFrom(givenNames, authorNumber, 8)} ${pickFrom(familyNames, authorNumber, 9)}${authorNumber % 4 === 0 ? '' : ` ${authorNumber}`}`
}

export function createBenchSong(songIndex: number): ImportRow<'songs'> {
  const dateAdded = new Date(Date.UTC(2012, 0, 1) + (hashIndex(songIndex, 11) % (14 * 365)) * 86_400_000)
  return {
    youtube_id: createBenchSongId(songIndex),
    title: createSongTitle(songIndex),
    author_name: pickAuthor(songIndex),
    author_channel_id: `UCbench${String(hashIndex(songIndex, 7) % 40_000).padStart(17, '0')}`,
    ...createCategoryName(songIndex),
    date_added: dateAdded.toISOString().slice(0, 10),
    duration: 90 + (hashIndex(songIndex, 13) % 240),
    description: `Played at ${120 + (hashIndex(songIndex, 14) % 60)} bpm.\nhttps://example.com/song/${songIndex}`,
  }
}

function createBenchPlaylist(playlistIndex: number, size: CatalogueSize): ImportRow<'playlists'> {
  const fixedPlaylist = fixedPlaylists[playlistIndex]
  const songCount = Math.min(fixedPlaylist?.songs ?? 5 + (hashIndex(playlistIndex, 21) % 56), size.songs)
  const startIndex = hashIndex(playlistIndex, 22) % size.songs
  // A playlist consists of consecutive songs, so that no song is in it twice.
  const songIds = Array.from({ length: songCount }, (_, position) => createBenchSongId((startIndex + position) % size.songs))
  return {
    id: fixedPlaylist?.id ?? `bench-list-${playlistIndex}`,
    title: `${pickFrom(firstTitleWords, playlistIndex, 23)} ${pickFrom(secondTitleWords, playlistIndex, 24)} mix ${playlistIndex}`,
    ...createCategoryName(playlistIndex),
    description: 'A list for measurements.',
    home: playlistIndex < 24,
    special: playlistIndex % 50 === 0,
    songs: songIds,
  }
}

function* generateRows(size: CatalogueSize): Generator<string> {
  yield '{"songs":['
  let lineBatch: string[] = []
  for (let index = 0; index < size.songs; index++) {
    lineBatch.push((index === 0 ? '\n' : ',\n') + JSON.stringify(createBenchSong(index)))
    if (lineBatch.length === 500) {
      yield lineBatch.join('')
      lineBatch = []
    }
  }
  yield `${lineBatch.join('')}\n],"playlists":[`
  for (let index = 0; index < size.playlists; index++) yield (index === 0 ? '\n' : ',\n') + JSON.stringify(createBenchPlaylist(index, size))
  yield '\n]}\n'
}

/** Writes a catalogue file for `catalog import`. Rows are generated while they are written, so that memory is bounded. */
export async function generateCatalogue(path: string, size: CatalogueSize): Promise<void> {
  await pipeline(Readable.from(generateRows(size)), createWriteStream(path))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, songs = '100000', playlists = '2000'] = process.argv.slice(2)
  if (path === undefined) throw new Error('usage: generate-catalogue FILE [SONGS] [PLAYLISTS]')
  await generateCatalogue(path, { songs: Number(songs), playlists: Number(playlists) })
}
