import { expressionBuilder } from 'kysely'
import { findChannelIds } from '../../contract/channel.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { createSongContextStore } from '../catalogue/store-contexts.ts'
import { mayShowWebsite } from '../payments/store-subscribers.ts'
import type { Database } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { BANNER_SCHEME } from './banner-scheme.ts'

/** Source of a picture. `url` and `songId` are undefined if the row has neither a picture nor a song. */
export interface PictureSource {
  /** Https URL of a picture on another host, or `BANNER_SCHEME` with a hash. `/img` fetches no other URLs. */
  url?: string
  /** Id of the song whose video thumbnail is used: the song itself, or the first song of a playlist, computed playlist or category. */
  songId?: string
  /** The number of a playlist or category. Neighbours in the order by title have successive numbers, so that their drawn covers differ. */
  contextNumber?: number
  /** The name of the owner of a website or portrait. If there is no portrait, the name's initial is drawn. */
  name?: string
}

export type PictureKind = 'song' | 'playlist' | 'member' | 'supporter' | 'feed' | 'website'

type SourceRow = { url: string }
type ItemId = { id: string }

const toPictureSource = (url: string, songId: string | null, sourceName?: string): PictureSource => ({
  ...(sourceName !== undefined && { name: sourceName }),
  ...(url === '' ? {} : { url }),
  ...(songId === null ? {} : { songId }),
})

/** The cast is safe, because the store of websites wrote the text. */
const parseTexts = ({ texts }: { texts: string }) => JSON.parse(texts) as { banner_url: string; youtube: string }

/** How long the list of promoted videos is used before it is read again. */
const PROMOTED_LIST_CACHE_MS = 1000

const { exists, not } = expressionBuilder()

export function createPictureStore({ queries }: Database) {
  const songContexts = createSongContextStore(queries)
  const findSong = prepareQuery<ItemId, { youtube_id: string }>(queries, ['id'], ({ id }) => {
    const isShown = not(exists(queries.selectFrom('hidden_songs').select('song_id').where('song_id', '=', id)))
    return (
      queries
        .selectFrom('catalogue.songs')
        .select('youtube_id')
        .where('youtube_id', '=', id)
        // Pictures are also served for the songs that owners of websites have chosen, and for videos of own playlists, unless they are hidden.
        .union(queries.selectFrom('website_songs').select('youtube_id').where('youtube_id', '=', id).where(isShown))
        .union(queries.selectFrom('playlist_videos').select('song_id as youtube_id').where('song_id', '=', id).where(isShown))
    )
  })
  const isHidden = async (songId: string) =>
    (await queries.selectFrom('hidden_songs').select('song_id').where('song_id', '=', songId).executeTakeFirst()) !== undefined
  /** The videos that subscribers promote. They are read once per second at most, because anybody can request a picture for any id. */
  let promotedSongs = { untilMs: 0, ids: new Set<string>() }
  const isPromoted = async (songId: string, atMs: number): Promise<boolean> => {
    if (atMs >= promotedSongs.untilMs) {
      const rows = await queries.selectFrom('promotions').select('youtube_share').execute()
      promotedSongs = { untilMs: atMs + PROMOTED_LIST_CACHE_MS, ids: new Set(rows.flatMap((row) => parseVideoId(row.youtube_share) ?? [])) }
    }
    return promotedSongs.ids.has(songId) && !(await isHidden(songId))
  }
  const sourceQueries = {
    member: prepareQuery<ItemId, SourceRow>(queries, ['id'], ({ id }) =>
      queries.selectFrom('members').select('channel_pic as url').where('channel_id', '=', id),
    ),
    supporter: prepareQuery<ItemId, SourceRow & { name: string }>(queries, ['id'], ({ id }) =>
      queries.selectFrom('supporters').select(['profile_pic as url', 'name']).where('domain_name', '=', id),
    ),
    feed: prepareQuery<ItemId, SourceRow>(queries, ['id'], ({ id }) =>
      queries.selectFrom('feed').select('image as url').where('id', '=', id),
    ),
  }
  const findBanner = prepareQuery<
    ItemId,
    { uid: string; name: string; enabled: number; texts: string; hash: string | null; portrait: string | null }
  >(queries, ['id'], ({ id }) =>
    queries
      .selectFrom('website_names')
      .innerJoin('websites', 'websites.uid', 'website_names.uid')
      .leftJoin('website_banners', 'website_banners.uid', 'websites.uid')
      .leftJoin('website_portraits', 'website_portraits.uid', 'websites.uid')
      .select(['websites.uid', 'name', 'enabled', 'texts', 'website_banners.hash as hash', 'website_portraits.hash as portrait'])
      .where('domain_name', '=', id)
      // An earlier domain name redirects to the current one, so it has no banner.
      .where('until', 'is', null),
  )

  /** Whether visitors see a website at `atMs`. */
  const isWebsiteShown = async ({ uid, enabled }: { uid: string; enabled: number }, atMs: number) =>
    enabled === 1 && (await mayShowWebsite(queries, uid, atMs))

  /**
   * Finds the portrait of a website, or else the picture of the member whose channel the website names. Without either picture, a cover is
   * drawn.
   */
  async function findWebsitePicture(domainName: string, atMs: number): Promise<PictureSource | undefined> {
    const [bannerRow] = await findBanner({ id: domainName })
    if (bannerRow === undefined) return undefined
    if (!(await isWebsiteShown(bannerRow, atMs))) return {}
    const { name } = bannerRow
    if (bannerRow.portrait !== null) return toPictureSource(BANNER_SCHEME + bannerRow.portrait, null, name)
    for (const id of findChannelIds(parseTexts(bannerRow).youtube)) {
      const [member] = await sourceQueries.member({ id })
      if (member) return toPictureSource(member.url, null, name)
    }
    return { name }
  }

  return {
    /**
     * Finds the source of a picture; `undefined` if there is no row of this kind and id. The source of a website that visitors do not see at `atMs` has
     * neither a picture nor a song.
     */
    findSource: async (kind: PictureKind, itemId: string, atMs: number): Promise<PictureSource | undefined> => {
      if (kind === 'song') {
        const [row] = await findSong({ id: itemId })
        return row !== undefined || (await isPromoted(itemId, atMs)) ? toPictureSource('', itemId) : undefined
      }
      if (kind === 'playlist') {
        const context = await songContexts.find(itemId)
        return context && { ...toPictureSource(context.image_url, context.first_song), contextNumber: context.no }
      }
      if (kind === 'website') {
        const [bannerRow] = await findBanner({ id: itemId })
        if (bannerRow !== undefined && !(await isWebsiteShown(bannerRow, atMs))) return {}
        if (bannerRow?.hash) return toPictureSource(BANNER_SCHEME + bannerRow.hash, null, bannerRow.name)
        if (bannerRow) return toPictureSource(parseTexts(bannerRow).banner_url, null, bannerRow.name)
        // An imported supporter has no banner, so that its cover is drawn.
        const [supporter] = await sourceQueries.supporter({ id: itemId })
        return supporter && toPictureSource('', null, supporter.name)
      }
      if (kind === 'supporter') {
        const [supporter] = await sourceQueries.supporter({ id: itemId })
        return supporter === undefined ? findWebsitePicture(itemId, atMs) : toPictureSource(supporter.url, null, supporter.name)
      }
      const [row] = await sourceQueries[kind]({ id: itemId })
      return row && toPictureSource(row.url, null)
    },
  }
}
