import type { ContentDocument } from '../../contract/content.ts'
import type { Playlist } from '../../contract/playlist.ts'
import { radioTitle } from '../../contract/radio-page.ts'
import { plainTextOf } from '../../contract/rich-text.ts'
import type { Settings } from '../../contract/site.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import type { SubscriberInfo } from '../../contract/website.ts'
import { socialFields } from '../../contract/website-rules.ts'
import type { HostSite } from '../http/hosts.ts'
import type { StationProgramme } from '../radio/radio.ts'
import { truncateText } from './markup.ts'

// Structured data of pages for search engines, in the vocabulary of schema.org. URLs are absolute.

const SCHEMA_ORG = 'https://schema.org'

const durationProperty = (seconds: number | undefined) => (seconds === undefined ? {} : { duration: `PT${seconds}S` })
const songUrl = (origin: string, song: { youtube_id: string }) => `${origin}/song?s=${song.youtube_id}`

export const websiteData = (origin: string, name: string, description: string) => ({
  '@context': SCHEMA_ORG,
  '@type': 'WebSite',
  name,
  description,
  url: `${origin}/`,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/search?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
})

export const organizationData = (origin: string, settings: Settings) => ({
  '@context': SCHEMA_ORG,
  '@type': 'Organization',
  name: settings.NAME,
  url: `${origin}/`,
  logo: `${origin}/icons/512.png`,
  sameAs: [settings.SOCIAL_DISCORD, settings.SOCIAL_INSTAGRAM, settings.SOCIAL_X, settings.SOCIAL_TIKTOK].filter((url) => url !== ''),
})

export const breadcrumbData = (origin: string, steps: { name: string; path: string }[]) => ({
  '@context': SCHEMA_ORG,
  '@type': 'BreadcrumbList',
  itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, name: step.name, item: origin + step.path })),
})

export const faqData = (questions: ContentDocument<'faq'>) => ({
  '@context': SCHEMA_ORG,
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: plainTextOf(answer) },
  })),
})

const recordingData = (origin: string, song: Pick<Song, 'youtube_id' | 'title' | 'author_name' | 'duration'>) => ({
  '@type': 'MusicRecording',
  name: song.title,
  byArtist: { '@type': 'MusicGroup', name: song.author_name },
  url: songUrl(origin, song),
  ...durationProperty(song.duration),
})

export function songData(origin: string, song: SongDetail, image: string): Record<string, unknown>[] {
  return [
    { '@context': SCHEMA_ORG, ...recordingData(origin, song), genre: song.category_name, image },
    {
      '@context': SCHEMA_ORG,
      '@type': 'VideoObject',
      name: song.title,
      description: truncateText(song.description, 500) || `${song.title} by ${song.author_name}`,
      thumbnailUrl: image,
      uploadDate: song.date_added,
      embedUrl: `https://www.youtube.com/embed/${song.youtube_id}`,
      ...durationProperty(song.duration),
    },
  ]
}

/** Describes a playlist of the site or a shared one, whose page is at `urlPath`. */
export const playlistData = (
  origin: string,
  urlPath: string,
  { title, description, song_count }: Pick<Playlist, 'title' | 'description' | 'song_count'>,
  songs: readonly Song[],
  image: string,
) => ({
  '@context': SCHEMA_ORG,
  '@type': 'MusicPlaylist',
  name: title,
  description,
  url: origin + urlPath,
  image,
  numTracks: song_count,
  track: songs.map((song) => recordingData(origin, song)),
})

/** Describes the radio as a broadcast service, and the song on air as an event of it. The songs' URLs are on the main site. */
export function radioData(
  { origin, mainUrl }: HostSite,
  settings: Settings,
  onAir: StationProgramme | undefined,
): Record<string, unknown>[] {
  const service = {
    '@type': 'BroadcastService',
    '@id': `${origin}/#radio`,
    name: radioTitle(settings),
    broadcastDisplayName: radioTitle(settings),
    url: `${origin}/`,
    broadcaster: { '@type': 'Organization', name: settings.NAME, url: `${mainUrl}/` },
  }
  if (onAir === undefined) return [{ '@context': SCHEMA_ORG, ...service }]
  const startMs = Date.parse(onAir.start_time)
  const event = {
    '@type': 'BroadcastEvent',
    name: `${onAir.title} by ${onAir.author_name}`,
    isLiveBroadcast: true,
    startDate: onAir.start_time,
    endDate: new Date(startMs + onAir.duration * 1000).toISOString(),
    publishedOn: service,
    workPerformed: { ...recordingData(mainUrl, onAir), genre: onAir.category_name },
  }
  return [{ '@context': SCHEMA_ORG, ...event }]
}

/** Describes the owner of a subscriber's website, with the links to other sites. */
export const subscriberData = (origin: string, website: SubscriberInfo['data'], image: string, description: string) => ({
  '@context': SCHEMA_ORG,
  '@type': 'ProfilePage',
  url: `${origin}/`,
  mainEntity: {
    '@type': 'MusicGroup',
    name: website.name,
    description,
    image,
    url: `${origin}/`,
    sameAs: socialFields.map((field) => website[field]).filter((url) => url !== ''),
  },
})
