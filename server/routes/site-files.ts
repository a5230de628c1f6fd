import type { FastifyInstance } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import { createAnswer } from '../http/read-cache.ts'
import type { SecurityHeaders } from '../http/security.ts'
import { sendAnswer } from '../http/send.ts'
import { icoOf } from '../pages/ico.ts'
import { iconPng, iconSvg } from '../services/brand-mark.ts'

const ICO_SIZE = 32
const TOUCH_SIZE = 180
/** Icons change with a release only. */
const ICON_CACHING = 'public, max-age=86400'

/** One value per brand, made when it is first asked for. */
function perBrand<T>(make: (brand: Brand) => Promise<T>): (brand: Brand) => Promise<T> {
  const made = new Map<string, Promise<T>>()
  return (brand) => {
    const value = made.get(brand.id) ?? make(brand)
    made.set(brand.id, value)
    return value
  }
}

/** Files that differ by host: the brand's icons, and what robots are told. */
export function registerSiteFiles(app: FastifyInstance, headers: SecurityHeaders): void {
  const ico = perBrand(async (brand) => icoOf(await iconPng(brand, ICO_SIZE), ICO_SIZE))
  const touch = perBrand((brand) => iconPng(brand, TOUCH_SIZE, { maskable: true }))

  app.get('/icon.svg', (request, reply) => {
    const type = { 'content-type': 'image/svg+xml', 'cache-control': ICON_CACHING }
    return sendAnswer(request, reply, createAnswer(200, iconSvg(request.site.brand), { ...headers.data, ...type }))
  })
  app.get('/favicon.ico', async (request, reply) =>
    reply
      .type('image/x-icon')
      .header('cache-control', ICON_CACHING)
      .send(await ico(request.site.brand)),
  )
  app.get('/apple-touch-icon.png', async (request, reply) =>
    reply
      .type('image/png')
      .header('cache-control', ICON_CACHING)
      .send(await touch(request.site.brand)),
  )

  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(['User-agent: *', 'Disallow: /api/', 'Disallow: /account', 'Disallow: /go/', 'Allow: /', ''].join('\n')),
  )
}
