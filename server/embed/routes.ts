import type { FastifyInstance, FastifyRequest } from 'fastify'
import { brands } from '../../brands/registry.ts'
import { EMBED_PATH, type EmbedKind, embedParameters, isEmbedKind, OEMBED_PATH } from '../../contract/embed.ts'
import { ApiError } from '../../contract/errors.ts'
import type { HostResolver, HostSite } from '../http/hosts.ts'
import { createCachedResponse } from '../http/read-cache.ts'
import type { SecurityHeaders } from '../http/security.ts'
import { sendCachedResponse } from '../http/send.ts'
import { createBrandStyle } from '../pages/document.ts'
import type { SiteSettings } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { createEmbedCspSources, type EmbeddedList, renderEmbed } from './document.ts'
import { findEmbeddedList } from './lists.ts'

/** The size of a player in pixels, if the site that embeds it gives no maximum. */
const SONG_PLAYER_SIZE = { width: 480, height: 360 }
const LIST_PLAYER_SIZE = { width: 480, height: 520 }
/** The smallest width and height that YouTube allows for its player. */
const PLAYER_SIZE_MIN_PX = 200
/** The widths in pixels of the pictures that describe a song or list, with the largest first. Their height is 9/16 of it. */
const THUMBNAIL_WIDTHS_PX = [640, 320, 160] as const

interface EmbedDeps {
  storage: Pick<Storage, 'songs' | 'playlists' | 'ownPlaylists'>
  site: SiteSettings
  hosts: Pick<HostResolver, 'siteOf' | 'isOwnOrigin'>
  headers: SecurityHeaders
}

type EmbedRequest = FastifyRequest<{ Querystring: Record<string, unknown> }>

/** Returns a query parameter; an empty text if it is missing or repeated. */
const readParameter = ({ query }: EmbedRequest, parameterName: string): string => {
  const value = query[parameterName]
  return typeof value === 'string' ? value : ''
}

const createNotFoundError = () => new ApiError('not-found', 'There is nothing to embed at this address.')

/**
 * The embedded page for a song or list that does not exist or is no longer shared. It can be framed, because browsers show their own error for a page
 * that refuses framing.
 */
const MISSING_LIST: EmbeddedList = { title: 'Not available', subtitle: 'It was removed or is no longer shared.', path: '/', songs: [] }

/** Registers `/embed/…`, the only pages that other sites may frame, and `OEMBED_PATH`, whose response describes how to frame them. */
export function registerEmbedRoutes(app: FastifyInstance, { storage, site, hosts, headers }: EmbedDeps): void {
  const styleByBrandId = new Map(brands.map((brand) => [brand.id, createBrandStyle(brand).css]))

  async function findList(host: HostSite, kind: EmbedKind, listId: string) {
    if (host.hostClass !== 'main') throw createNotFoundError()
    return findEmbeddedList(storage, kind, listId, await site.viewOf(host.brand))
  }

  app.get<{ Params: { kind: string }; Querystring: Record<string, unknown> }>(`${EMBED_PATH}/:kind`, async (request, reply) => {
    const { kind } = request.params
    if (!isEmbedKind(kind)) throw createNotFoundError()
    const { brand, origin } = request.site
    const embeddedList = await findList(request.site, kind, readParameter(request, embedParameters[kind]))
    const brandStyle = styleByBrandId.get(brand.id) ?? ''
    const embedHtml = renderEmbed({
      list: embeddedList ?? MISSING_LIST,
      siteName: (await site.settingsOf(brand)).NAME,
      origin,
      brand,
      brandStyle,
    })
    const { script, style } = createEmbedCspSources(brandStyle)
    const cacheControl = kind === 'list' || embeddedList === undefined ? 'no-store' : 'no-cache'
    const responseHeaders = {
      ...headers.embed(style, script),
      'content-type': 'text/html; charset=utf-8',
      'cache-control': `${cacheControl}, no-transform`,
    }
    return sendCachedResponse(request, reply, createCachedResponse(embeddedList === undefined ? 404 : 200, embedHtml, responseHeaders))
  })

  app.get<{ Querystring: Record<string, unknown> }>(OEMBED_PATH, async (request, reply) => {
    if (!['', 'json'].includes(readParameter(request, 'format')))
      return reply.code(501).send({ code: 501, message: 'The format is json.', data: null })
    const urlText = readParameter(request, 'url')
    const url = URL.canParse(urlText) ? new URL(urlText) : undefined
    const listKind = url?.pathname.slice(1).replace(/\/$/, '') ?? ''
    if (url === undefined || !hosts.isOwnOrigin(url.origin) || !isEmbedKind(listKind)) throw createNotFoundError()
    const hostSite = hosts.siteOf(url.host)
    const idParameter = embedParameters[listKind]
    const listId = url.searchParams.get(idParameter) ?? ''
    const embeddedList = await findList(hostSite, listKind, listId)
    if (embeddedList === undefined) throw createNotFoundError()
    const { title, subtitle, songs } = embeddedList
    const readMaxSize = (name: string) => Number(readParameter(request, name)) || Number.POSITIVE_INFINITY
    const [maxWidth, maxHeight] = [readMaxSize('maxwidth'), readMaxSize('maxheight')]
    const frameSize = listKind === 'song' ? SONG_PLAYER_SIZE : LIST_PLAYER_SIZE
    const [width, height] = [Math.min(frameSize.width, maxWidth), Math.min(frameSize.height, maxHeight)]
    // A response must not exceed the maximum. Where no player fits, the response is a link, which has no size (https://oembed.com, section 2.3.4.3).
    const isPlayerAllowed = Math.min(width, height) >= PLAYER_SIZE_MIN_PX
    const thumbnailWidth = THUMBNAIL_WIDTHS_PX.find((widthPx) => widthPx <= maxWidth && (widthPx * 9) / 16 <= maxHeight)
    const frameUrl = `${hostSite.origin}${EMBED_PATH}/${listKind}?${new URLSearchParams({ [idParameter]: listId })}`
    const frameAttributes = `src="${escapeHtml(frameUrl)}" width="${width}" height="${height}" title="${escapeHtml(title)}"`
    const [firstSong] = songs
    return reply
      .header('cache-control', listKind === 'list' ? 'no-store' : 'no-cache')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send({
        ...{
          version: '1.0',
          type: isPlayerAllowed ? 'rich' : 'link',
          title,
          provider_name: (await site.settingsOf(hostSite.brand)).NAME,
          provider_url: `${hostSite.origin}/`,
        },
        ...(listKind === 'song' && { author_name: subtitle }),
        ...(firstSong !== undefined &&
          thumbnailWidth !== undefined && {
            thumbnail_url: `${hostSite.origin}/img/song/${firstSong.youtube_id}/${thumbnailWidth}`,
            thumbnail_width: thumbnailWidth,
            thumbnail_height: (thumbnailWidth * 9) / 16,
          }),
        ...(isPlayerAllowed && {
          html: `<iframe ${frameAttributes} style="border:0" allow="autoplay; encrypted-media; fullscreen; picture-in-picture" loading="lazy"></iframe>`,
          width,
          height,
        }),
      })
  })
}
