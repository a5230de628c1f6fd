import { brands } from '../../brands/registry.ts'
import { findChannelIds } from '../../contract/channel.ts'
import { ApiError } from '../../contract/errors.ts'
import { foldText } from '../../contract/fold-text.ts'
import type { PromotionSite } from '../../contract/promotion.ts'
import { removeHiddenCharacters } from '../../contract/text.ts'
import type { SubscriberInfo, Website, WebsiteRequest } from '../../contract/website.ts'
import {
  type ClickTarget,
  findDomainNameProblem,
  findWebsiteProblems,
  isReservedDomainName,
  linkIds,
  RESERVED_NAME_MESSAGE,
  socialFields,
  TAKEN_NAME_MESSAGE,
  toWebAddress,
  WEBSITE_ENTRY_TITLE_MAX_LENGTH,
  WEBSITE_SONGS_MAX,
  type WebsiteEntry,
  type WebsiteTexts,
  websiteMaxLengths,
} from '../../contract/website-rules.ts'
import { createWatchUrl, parseVideoId } from '../../contract/youtube.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import { DAY_MS } from '../durations.ts'
import type { HostResolver, HostSite } from '../http/hosts.ts'
import type { Upload } from '../http/uploads.ts'
import { DRAWING_RETRY_SECONDS, type PictureQueues } from '../pictures/drawing.ts'
import type { Storage } from '../storage/open.ts'
import { assignLinkIds } from './links.ts'
import type { ChosenSong, DomainNameOutcome, StoredWebsite, WebsitePictureKind } from './store.ts'
import { createWebsiteSongLister } from './videos.ts'

/** The number of days for which the owner sees clicks. */
const SHOWN_CLICK_DAYS = 30
const createNotActivatedError = () => new ApiError('conflict', 'Your site is not activated yet.')
const SHOWN_PLAYLIST_COUNT = 6

type WebsiteOwner = Pick<StoredWebsite, 'uid' | 'email'>

const textFields = [...Object.keys(websiteMaxLengths), ...socialFields] as (keyof WebsiteTexts)[]
const emptyTexts = Object.fromEntries(textFields.map((field) => [field, ''])) as WebsiteTexts

/** A website of which only the owner and the domain name are missing. */
const emptyWebsite = { ...emptyTexts, links: [], songs: [], accent: '', enabled: 'yes' } satisfies Partial<StoredWebsite>

/** The words of the brands' names, which are not available as domain names. */
const brandWords = new Set(
  brands.flatMap(({ id, hostWord = '', short_name, settings, texts }) =>
    foldText([id, hostWord, short_name, settings.NAME, texts.genre].join(' ')).split(' '),
  ),
)

function toPublicTexts({ uid: _uid, email: _email, songs: _songs, ...texts }: StoredWebsite) {
  return texts
}

function requireSuccess(outcome: DomainNameOutcome): void {
  if (outcome === 'exists') throw new ApiError('conflict', 'Your site is activated already.')
  if (outcome === 'taken') throw new ApiError('conflict', TAKEN_NAME_MESSAGE)
  if (outcome === 'too-many')
    throw new ApiError(
      'too-many',
      'The domain name was changed three times in 30 days. Please wait before you change it again.',
      DAY_MS / 1000,
    )
}

/** Returns the function that finds the URL of the picture of a website's owner. */
function createPictureFinder({ websites, pictures }: Pick<Storage, 'websites' | 'pictures'>, nowMs: () => number) {
  return async (owner: WebsiteOwner | undefined, domainName: string, channelIds: readonly string[]): Promise<string> => {
    const portraitHash = owner && (await websites.pictureHashOf('portrait', owner.uid))
    // The URL contains the beginning of the portrait's hash, because browsers cache pictures: after a change of the portrait, its URL is a
    // new one.
    if (portraitHash !== undefined) return `/img/supporter/${domainName}/${portraitHash.slice(0, 10)}`
    for (const id of channelIds) if (await pictures.findSource('member', id, nowMs())) return `/img/member/${id}`
    return `/img/supporter/${domainName}`
  }
}

/** Converts an uploaded picture. @throws ApiError 400 if it is no picture, 503 if too many wait */
async function readUploadedPicture({ path }: Upload, makeMaster: PictureQueues['makeMaster']): Promise<Buffer> {
  const pictureBytes = await makeMaster(path).catch(() => {
    throw new ApiError('bad-input', 'Please upload a picture of at most 25 megapixels: PNG, JPEG, WebP, AVIF or GIF.')
  })
  if (pictureBytes === undefined)
    throw new ApiError('unavailable', 'Many pictures are being uploaded. Please try again in a moment.', DRAWING_RETRY_SECONDS)
  return pictureBytes
}

/**
 * Returns the songs with titles: those that the catalogue does not have get the title that YouTube told for an own playlist. Songs that the website has
 * already without a title may stay so, because the catalogue may have lost them since.
 * @throws ApiError 400 for other songs without a title that the catalogue does not have
 */
async function completeTitles(
  { listByIds, listVideoSongs }: Pick<Storage['songs'], 'listByIds' | 'listVideoSongs'>,
  songs: readonly ChosenSong[],
  storedSongs: readonly ChosenSong[],
): Promise<ChosenSong[]> {
  const listUntitledIds = (list: readonly ChosenSong[]) => list.filter(({ title }) => title === '').map(({ youtube_id }) => youtube_id)
  const storedIds = listUntitledIds(storedSongs)
  const newIds = listUntitledIds(songs).filter((id) => !storedIds.includes(id))
  const knownSongs = await listByIds(newIds, { newSinceMs: 0 })
  const unknownIds = newIds.filter((id) => !knownSongs.some(({ youtube_id }) => youtube_id === id))
  const videos = await listVideoSongs(unknownIds)
  const titleById = new Map(videos.map(({ youtube_id, title }) => [youtube_id, removeHiddenCharacters(title)]))
  const untitledSongs = songs.flatMap(({ youtube_id }, index) =>
    unknownIds.includes(youtube_id) && !titleById.get(youtube_id) ? [`Song ${index + 1}`] : [],
  )
  if (untitledSongs.length > 0)
    throw new ApiError('bad-input', `${untitledSongs.join(', ')}: Please enter a title, because our catalogue does not have this video.`)
  const cutTitle = (title: string) => [...title].slice(0, WEBSITE_ENTRY_TITLE_MAX_LENGTH).join('')
  return songs.map((song) => ({ ...song, title: song.title || cutTitle(titleById.get(song.youtube_id) ?? '') }))
}

interface WebsitesDeps {
  storage: Pick<Storage, 'websites' | 'supporters' | 'songs' | 'playlists' | 'pictures' | 'roles' | 'payments'>
  hosts: Pick<HostResolver, 'isSubscriberName'>
  drawing: Pick<PictureQueues, 'makeMaster'>
  /** Lists the newest uploads of a channel; `undefined` if no key of the YouTube API is configured. */
  listUploads: ((channel: string) => Promise<WebsiteEntry[]>) | undefined
  nowMs: () => number
}

/** The operations on subscribers' websites, for their owners and their visitors. */
export function createWebsiteService({ storage, hosts, drawing, listUploads, nowMs }: WebsitesDeps) {
  const { websites } = storage
  const listVideosOf = createWebsiteSongLister(storage)
  const findPictureOf = createPictureFinder(storage, nowMs)

  /** @throws ApiError 400 for a reserved domain name */
  function requireFreeName(name: string): void {
    if (findDomainNameProblem(name) === 'invalid' || name === '') return
    if (isReservedDomainName(name, brandWords) || !hosts.isSubscriberName(name)) throw new ApiError('bad-input', RESERVED_NAME_MESSAGE)
  }

  /** @throws ApiError 409 if the account has no website */
  async function requireActivated(uid: string): Promise<void> {
    if ((await websites.find(uid)) === undefined) throw createNotActivatedError()
  }

  async function isDonator({ uid, email }: WebsiteOwner): Promise<boolean> {
    const holder = { uid, verifiedEmail: email === '' ? undefined : email }
    const grants = [...(await storage.roles.listGrants(holder)), ...(await storage.payments.listGrants(holder))]
    return grants.some(({ role, untilMs }) => role === 'donator' && (untilMs === undefined || untilMs > nowMs()))
  }

  /** Returns the website or the imported supporter of a domain name, as visitors see it; `undefined` if there is none. */
  async function findLiveWebsite(
    domainName: string,
  ): Promise<{ texts: SubscriberInfo['data']; owner: WebsiteOwner | undefined; songs: readonly ChosenSong[] } | undefined> {
    const found = await websites.resolve(domainName, nowMs())
    if (found !== undefined)
      return found.isLive ? { texts: toPublicTexts(found.website), owner: found.website, songs: found.website.songs } : undefined
    const supporter = await storage.supporters.find(domainName)
    return supporter && { texts: { ...emptyTexts, ...supporter, enabled: 'yes', links: [], accent: '' }, owner: undefined, songs: [] }
  }

  return {
    requireActivated,

    async of(uid: string, urlOf: (domainName: string) => string, readOptions: SongReadOptions): Promise<Website | undefined> {
      const storedWebsite = await websites.find(uid)
      if (storedWebsite === undefined) return undefined
      const channelIds = findChannelIds(storedWebsite.youtube)
      const dailyClicks = await websites.listClicks(uid, Math.floor(nowMs() / DAY_MS) - SHOWN_CLICK_DAYS + 1)
      return {
        id: uid,
        ...toPublicTexts(storedWebsite),
        url: urlOf(storedWebsite.domain_name),
        songs: storedWebsite.songs.map(({ youtube_id, title }) => ({ url: createWatchUrl(youtube_id), title })),
        channel_songs: channelIds.length === 0 ? 0 : (await storage.songs.listNewest(WEBSITE_SONGS_MAX, readOptions, channelIds)).length,
        lists_uploads: listUploads !== undefined,
        has_banner: (await websites.pictureHashOf('banner', uid)) !== undefined,
        has_portrait: (await websites.pictureHashOf('portrait', uid)) !== undefined,
        clicks: dailyClicks,
      }
    },

    /** Creates the website of an account. Visitors can see it immediately. */
    async activate(owner: WebsiteOwner, domainName: string): Promise<void> {
      const newDomainName = domainName.trim().toLowerCase()
      const nameProblem = findDomainNameProblem(newDomainName)
      requireFreeName(newDomainName)
      if (nameProblem !== undefined) throw new ApiError('bad-input', 'domain_name must be lower-case letters, digits and hyphens')
      // The domain name is used as the website's name. It is cut, because a domain name can be longer than a name.
      const shownName = newDomainName.slice(0, websiteMaxLengths.name)
      const website: StoredWebsite = { ...emptyWebsite, ...owner, domain_name: newDomainName, name: shownName }
      requireSuccess(await websites.save(website, nowMs(), { isNew: true }))
    },

    async save(owner: WebsiteOwner, { enabled = 'yes', ...input }: WebsiteRequest): Promise<void> {
      const givenWebsite = { ...emptyTexts }
      for (const field of textFields) givenWebsite[field] = (input[field] ?? '').trim()
      for (const field of socialFields) givenWebsite[field] = toWebAddress(givenWebsite[field], field)
      givenWebsite.domain_name = givenWebsite.domain_name.toLowerCase()
      const stored = await websites.find(owner.uid)
      const currentName = stored?.domain_name ?? ''
      if (givenWebsite.domain_name !== currentName) requireFreeName(givenWebsite.domain_name)
      const links = input.links?.map(({ id, title, url }) => ({ id, title: title.trim(), url: toWebAddress(url) })) ?? stored?.links ?? []
      const givenSongs = input.songs?.map(({ title, url }) => ({ title: title.trim(), url: toWebAddress(url) }))
      const [formProblem] = findWebsiteProblems(givenWebsite, { links, songs: givenSongs ?? [] }, currentName)
      if (formProblem !== undefined) throw new ApiError('bad-input', `${formProblem.label}: ${formProblem.text}`)
      if (stored === undefined) throw createNotActivatedError()
      const givenVideos = givenSongs?.map(({ title, url }) => ({ youtube_id: parseVideoId(url) ?? '', title })) ?? stored.songs
      const songs = await completeTitles(storage.songs, givenVideos, stored.songs)
      const { links: identifiedLinks, newIds } = assignLinkIds(links, stored.links)
      const accent = input.accent ?? stored.accent
      requireSuccess(
        await websites.save({ ...givenWebsite, ...owner, enabled, links: identifiedLinks, accent, songs }, nowMs(), { newLinkIds: newIds }),
      )
    },

    /** Stores an uploaded picture of an account's website; without one, removes it. @throws ApiError 400 if it is no picture, 409 if there is no website */
    async savePicture(pictureKind: WebsitePictureKind, uid: string, upload: Upload | undefined): Promise<void> {
      await requireActivated(uid)
      const pictureBytes = upload && (await readUploadedPicture(upload, drawing.makeMaster))
      // The account may have been deleted while the picture was converted.
      if (!(await websites.savePicture(pictureKind, uid, pictureBytes))) throw createNotActivatedError()
    },

    /** Lists the newest uploads of the channel of an account's website. */
    async uploadsOf(uid: string): Promise<WebsiteEntry[]> {
      await requireActivated(uid)
      const website = await websites.find(uid)
      return (await listUploads?.(website?.youtube ?? '')) ?? []
    },

    /** Returns the website of a domain name as visitors see it; `undefined` if there is none or visitors cannot see it. */
    async info(domainName: string, readOptions: SongReadOptions): Promise<SubscriberInfo | undefined> {
      const liveWebsite = await findLiveWebsite(domainName)
      if (liveWebsite === undefined) return undefined
      const channelIds = findChannelIds(liveWebsite.texts.youtube)
      return {
        ...(await listVideosOf(liveWebsite.songs, liveWebsite.texts, readOptions)),
        playlists: await storage.playlists.listRandom(SHOWN_PLAYLIST_COUNT),
        profile_pic: await findPictureOf(liveWebsite.owner, liveWebsite.texts.domain_name, channelIds),
        donator: liveWebsite.owner !== undefined && (await isDonator(liveWebsite.owner)),
        data: liveWebsite.texts,
      }
    },

    /** Returns the name, domain name and picture of an account's website; `undefined` if visitors do not see it. */
    async cardOf(uid: string): Promise<PromotionSite | undefined> {
      const storedWebsite = await websites.find(uid)
      const liveWebsite = storedWebsite && (await findLiveWebsite(storedWebsite.domain_name))
      if (liveWebsite?.owner === undefined) return undefined
      const { name, domain_name, youtube } = liveWebsite.texts
      return { site_name: name, domain_name, profile_pic: await findPictureOf(liveWebsite.owner, domain_name, findChannelIds(youtube)) }
    },

    /** Returns the URL to which visitors of a subscriber's host are redirected; `undefined` if the host shows a website itself. */
    async redirectOf({ subdomain, origin, mainUrl }: HostSite): Promise<string | undefined> {
      const liveWebsite = await findLiveWebsite(subdomain)
      if (liveWebsite === undefined) return `${mainUrl}/`
      const domainName = liveWebsite.texts.domain_name
      return domainName === subdomain ? undefined : `${origin.replace(`//${subdomain}.`, `//${domainName}.`)}/`
    },

    /** Whether a domain name is taken, also if it redirects or its website is hidden. */
    isKnown: async (domainName: string) =>
      (await websites.resolve(domainName, nowMs())) !== undefined || (await storage.supporters.find(domainName)) !== undefined,

    /** Counts a click on a website that visitors see. */
    async countClick(domainName: string, target: ClickTarget): Promise<void> {
      const live = await findLiveWebsite(domainName)
      const isKnown = !linkIds.some((id) => id === target) || live?.texts.links.some(({ id }) => id === target)
      if (live?.owner !== undefined && isKnown) await websites.countClick(live.owner.uid, target, Math.floor(nowMs() / DAY_MS))
    },
  }
}
export type WebsiteService = ReturnType<typeof createWebsiteService>
