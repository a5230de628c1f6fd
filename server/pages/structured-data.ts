import type { ContentDocument } from '../../contract/content.ts'
import type { Playlist } from '../../contract/playlist.ts'
import { formatRadioTitle } from '../../contract/radio-page.ts'
import { extractPlainText } from '../../contract/rich-text.ts'
import type { Settings } from '../../contract/site.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import type { SubscriberInfo } from '../../contract/website.ts'
import { socialFields } from '../../contract/website-rules.ts'
import type { HostSite } from '../http/hosts.ts'
import type { StationProgramme } from '../radio/radio.ts'
import { truncateText } from './markup.ts'

// Structured data of pages for search engines, in the vocabulary of schema.org. URLs are absolute.

const SCHEMA_ORG = 'https://schema.org'

const createDurationProperty = (seconds: number | undefined) => (seconds === undefined ? {} : { duration: `PT${seconds}S` })
const createSongUrl = (origin: string, song: { youtube_id: string }) => `${origin}/song?s=${song.youtube_id}`

export const createWebsiteData = (siteOrigin: string, siteName: string, siteDescription: string) => ({
  '@context': SCHEMA_ORG,
  '@type': 'WebSite',
  name: siteName,
  description: siteDescription,
  url: `${siteOrigin}/`,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${siteOrigin}/search?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
})

export const createOrganizationData = (siteOrigin: string, settings: Settings) => ({
  '@context': SCHEMA_ORG,
  '@type': 'Organization',
  name: settings.NAME,
  url: `${siteOrigin}/`,
  logo: `${siteOrigin}/icons/512.png`,
  sameAs: [settings.SOCIAL_DISCORD, settings.SOCIAL_INSTAGRAM, settings.SOCIAL_X, settings.SOCIAL_TIKTOK].filter((url) => url !== ''),
})

export const createBreadcrumbData = (siteOrigin: string, breadcrumbSteps: { name: string; path: string }[]) => ({
  '@context': SCHEMA_ORG,
  '@type': 'BreadcrumbList',
  itemListElement: breadcrumbSteps.map((step, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: step.name,
    item: siteOrigin + step.path,
  })),
})

export const createFaqData = (questions: ContentDocument<'faq'>) => ({
  '@context': SCHEMA_ORG,
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: extractPlainText(answer) },
  })),
})

const createRecordingData = (siteOrigin: string, song: Pick<Song, 'youtube_id' | 'title' | 'author_name' | 'duration'>) => ({
  '@type': 'MusicRecording',
  name: song.title,
  byArtist: { '@type': 'MusicGroup', name: song.author_name },
  url: createSongUrl(siteOrigin, song),
  ...createDurationProperty(song.duration),
})

export function createSongData(siteOrigin: string, song: SongDetail, imageUrl: string): Record<string, unknown>[] {
  return [
    { '@context': SCHEMA_ORG, ...createRecordingData(siteOrigin, song), genre: song.category_name, image: imageUrl },
    {
      '@context': SCHEMA_ORG,
      '@type': 'VideoObject',
      name: song.title,
      description: truncateText(song.description, 500) || `${song.title} by ${song.author_name}`,
      thumbnailUrl: imageUrl,
      uploadDate: song.date_added,
      embedUrl: `https://www.youtube.com/embed/${song.youtube_id}`,
      ...createDurationProperty(song.duration),
    },
  ]
}

/** Describes a playlist of the site or a shared one, whose page is at `urlPath`. */
export const createPlaylistData = (
  siteOrigin: string,
  urlPath: string,
  { title, description, song_count }: Pick<Playlist, 'title' | 'description' | 'song_count'>,
  songs: readonly Song[],
  imageUrl: string,
) => ({
  '@context': SCHEMA_ORG,
  '@type': 'MusicPlaylist',
  name: title,
  description,
  url: siteOrigin + urlPath,
  image: imageUrl,
  numTracks: song_count,
  track: songs.map((song) => createRecordingData(siteOrigin, song)),
})

/** Describes the radio as a broadcast service, and the song on air as an event of it. The songs' URLs are on the main site. */
export function createRadioData(
  { origin, mainUrl }: HostSite,
  settings: Settings,
  onAir: StationProgramme | undefined,
): Record<string, unknown>[] {
  const radioService = {
    '@type': 'BroadcastService',
    '@id': `${origin}/#radio`,
    name: formatRadioTitle(settings),
    broadcastDisplayName: formatRadioTitle(settings),
    url: `${origin}/`,
    broadcaster: { '@type': 'Organization', name: settings.NAME, url: `${mainUrl}/` },
  }
  if (onAir === undefined) return [{ '@context': SCHEMA_ORG, ...radioService }]
  const startMs = Date.parse(onAir.start_time)
  const event = {
    '@type': 'BroadcastEvent',
    name: `${onAir.title} by ${onAir.author_name}`,
    isLiveBroadcast: true,
    startDate: onAir.start_time,
    endDate: new Date(startMs + onAir.duration * 1000).toISOString(),
    publishedOn: radioService,
    workPerformed: { ...createRecordingData(mainUrl, onAir), genre: onAir.category_name },
  }
  return [{ '@context': SCHEMA_ORG, ...event }]
}

/** Describes the owner of a subscriber's website, with the links to other sites. */
export const createSubscriberData = (
  siteOrigin: string,
  website: SubscriberInfo['data'],
  imageUrl: string,
  websiteDescription: string,
) => ({
  '@context': SCHEMA_ORG,
  '@type': 'ProfilePage',
  url: `${siteOrigin}/`,
  mainEntity: {
    '@type': 'MusicGroup',
    name: website.name,
    description: websiteDescription,
    image: imageUrl,
    url: `${siteOrigin}/`,
    sameAs: socialFields.map((field) => website[field]).filter((url) => url !== ''),
  },
})
