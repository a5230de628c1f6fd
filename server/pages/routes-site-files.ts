import type { FastifyInstance } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import type { HostSite } from '../http/hosts.ts'
import { createCachedResponse } from '../http/read-cache.ts'
import { sendCachedResponse } from '../http/send.ts'
import { type IconShape, iconPng, iconSvg, shortcutNames, shortcutPng } from '../pictures/brand-mark.ts'
import type { SiteSettings } from '../site/settings.ts'
import { createManifest } from './manifest.ts'

/** Wraps a square PNG of at most 255 pixels in an ICO file: a 6-byte header, one 16-byte directory entry, then the PNG. */
function encodeIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(22, 18)
  return Buffer.concat([header, png])
}

const ICO_SIZE = 32
const APPLE_TOUCH_ICON_SIZE = 180
const ICON_SIZES = [192, 512]
const SHORTCUT_SIZE = 96
/** `Cache-Control` of icons, which change only with a release. */
const ICON_CACHE_CONTROL = 'public, max-age=86400'

const isRadio = ({ hostClass }: Pick<HostSite, 'hostClass'>) => hostClass === 'radio'

/**
 * Returns a function that creates one value per brand and app (main site or radio) when it is first needed, and returns the same value afterwards.
 */
function memoizePerApp<T>(createValue: (brand: Brand, shape: IconShape) => Promise<T>): (site: HostSite) => Promise<T> {
  const values = new Map<string, Promise<T>>()
  return (site) => {
    const shape = { radio: isRadio(site) }
    const key = `${site.brand.id} ${shape.radio}`
    const value = values.get(key) ?? createValue(site.brand, shape)
    values.set(key, value)
    return value
  }
}

/** Registers the files that differ by host: icons and the web app manifest. */
export function registerSiteFiles(app: FastifyInstance, site: SiteSettings): void {
  const getIco = memoizePerApp(async (brand, shape) => encodeIco(await iconPng(brand, ICO_SIZE, shape), ICO_SIZE))
  const appleTouchIcon = memoizePerApp((brand, shape) => iconPng(brand, APPLE_TOUCH_ICON_SIZE, { ...shape, maskable: true }))

  app.get('/icon.svg', (request, reply) => {
    const iconHeaders = { 'content-type': 'image/svg+xml; charset=utf-8', 'cache-control': ICON_CACHE_CONTROL }
    return sendCachedResponse(
      request,
      reply,
      createCachedResponse(200, iconSvg(request.site.brand, { radio: isRadio(request.site) }), iconHeaders),
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
    ...Object.fromEntries(ICON_SIZES.map((size) => [String(size), memoizePerApp((brand, shape) => iconPng(brand, size, shape))])),
    ...Object.fromEntries(
      ICON_SIZES.map((size) => [`maskable-${size}`, memoizePerApp((brand, shape) => iconPng(brand, size, { ...shape, maskable: true }))]),
    ),
    ...Object.fromEntries(
      shortcutNames.map((name) => [`shortcut-${name}`, memoizePerApp((brand) => shortcutPng(brand, name, SHORTCUT_SIZE))]),
    ),
  }
  for (const [name, getPng] of Object.entries(pngGetters)) {
    app.get(`/icons/${name}.png`, async (request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', ICON_CACHE_CONTROL)
        .send(await getPng(request.site)),
    )
  }

  app.get('/manifest.webmanifest', async (request, reply) => {
    const { brand, hostClass } = request.site
    const manifest = createManifest(brand, hostClass, await site.settingsOf(brand))
    if (manifest === undefined) return reply.callNotFound()
    const manifestHeaders = { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': 'no-cache' }
    return sendCachedResponse(request, reply, createCachedResponse(200, JSON.stringify(manifest), manifestHeaders))
  })
}
