import type { FastifyInstance } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import type { HostSite } from '../http/hosts.ts'
import { createCachedResponse } from '../http/read-cache.ts'
import { sendCachedResponse } from '../http/send.ts'
import { type IconShape, renderIconPng, renderIconSvg, renderShortcutPng, shortcutNames } from '../pictures/brand-mark.ts'
import type { SiteSettings } from '../site/settings.ts'
import { createManifest } from './manifest.ts'

/** Wraps a square PNG of at most 255 pixels in an ICO file: a 6-byte header, one 16-byte directory entry, then the PNG. */
function encodeIco(pngBytes: Buffer, sizePx: number): Buffer {
  const headerBytes = Buffer.alloc(22)
  headerBytes.writeUInt16LE(1, 2)
  headerBytes.writeUInt16LE(1, 4)
  headerBytes.writeUInt8(sizePx, 6)
  headerBytes.writeUInt8(sizePx, 7)
  headerBytes.writeUInt16LE(1, 10)
  headerBytes.writeUInt16LE(32, 12)
  headerBytes.writeUInt32LE(pngBytes.length, 14)
  headerBytes.writeUInt32LE(22, 18)
  return Buffer.concat([headerBytes, pngBytes])
}

const ICO_SIZE_PX = 32
const APPLE_TOUCH_ICON_SIZE_PX = 180
const ICON_SIZES_PX = [192, 512]
const SHORTCUT_ICON_SIZE_PX = 96
/** `Cache-Control` of icons, which change only with a release. */
const ICON_CACHE_CONTROL = 'public, max-age=86400'

const isRadioHost = ({ hostClass }: Pick<HostSite, 'hostClass'>) => hostClass === 'radio'

/**
 * Returns a function that creates one value per brand and app (main site or radio) when it is first needed, and returns the same value afterwards.
 */
function memoizePerApp<T>(createValue: (brand: Brand, shape: IconShape) => Promise<T>): (site: HostSite) => Promise<T> {
  const valueByKey = new Map<string, Promise<T>>()
  return (site) => {
    const iconShape = { isRadio: isRadioHost(site) }
    const iconKey = `${site.brand.id} ${iconShape.isRadio}`
    const value = valueByKey.get(iconKey) ?? createValue(site.brand, iconShape)
    valueByKey.set(iconKey, value)
    return value
  }
}

/** Registers the files that differ by host: icons and the web app manifest. */
export function registerSiteFiles(app: FastifyInstance, site: SiteSettings): void {
  const getIco = memoizePerApp(async (brand, shape) => encodeIco(await renderIconPng(brand, ICO_SIZE_PX, shape), ICO_SIZE_PX))
  const appleTouchIcon = memoizePerApp((brand, shape) => renderIconPng(brand, APPLE_TOUCH_ICON_SIZE_PX, { ...shape, isMaskable: true }))

  app.get('/icon.svg', (request, reply) => {
    const iconHeaders = { 'content-type': 'image/svg+xml; charset=utf-8', 'cache-control': ICON_CACHE_CONTROL }
    return sendCachedResponse(
      request,
      reply,
      createCachedResponse(200, renderIconSvg(request.site.brand, { isRadio: isRadioHost(request.site) }), iconHeaders),
    )
  })
  app.get('/favicon.ico', async (request, reply) =>
    reply
      .type('image/x-icon')
      .header('cache-control', ICON_CACHE_CONTROL)
      .send(await getIco(request.site)),
  )
  app.get('/apple-touch-icon.png', async (request, reply) =>
    reply
      .type('image/png')
      .header('cache-control', ICON_CACHE_CONTROL)
      .send(await appleTouchIcon(request.site)),
  )

  const pngGetters = {
    ...Object.fromEntries(ICON_SIZES_PX.map((size) => [String(size), memoizePerApp((brand, shape) => renderIconPng(brand, size, shape))])),
    ...Object.fromEntries(
      ICON_SIZES_PX.map((iconSizePx) => [
        `maskable-${iconSizePx}`,
        memoizePerApp((brand, shape) => renderIconPng(brand, iconSizePx, { ...shape, isMaskable: true })),
      ]),
    ),
    ...Object.fromEntries(
      shortcutNames.map((name) => [`shortcut-${name}`, memoizePerApp((brand) => renderShortcutPng(brand, name, SHORTCUT_ICON_SIZE_PX))]),
    ),
  }
  for (const [pngName, getPng] of Object.entries(pngGetters)) {
    app.get(`/icons/${pngName}.png`, async (request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', ICON_CACHE_CONTROL)
        .send(await getPng(request.site)),
    )
  }

  app.get('/manifest.webmanifest', async (request, reply) => {
    const { brand, hostClass } = request.site
    const webManifest = createManifest(brand, hostClass, await site.settingsOf(brand))
    if (webManifest === undefined) return reply.callNotFound()
    const manifestHeaders = { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': 'no-cache' }
    return sendCachedResponse(request, reply, createCachedResponse(200, JSON.stringify(webManifest), manifestHeaders))
  })
}
