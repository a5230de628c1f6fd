import type { FastifyRequest } from 'fastify'
import { UPLOAD_MAX_BYTES } from '../../contract/conversion-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import { HOUR_MS } from '../durations.ts'
import { findNetwork } from '../http/client-id.ts'
import { createWebsiteUrlBuilder } from '../http/hosts.ts'
import { requireUser, toRoleHolder, type User } from '../http/user.ts'
import type { RouteContext } from '../route-context.ts'
import type { WebsiteService } from './websites.ts'

/** The maximum number of clicks that are counted per IP address and hour. */
const CLICKS_PER_HOUR = 300
/** The maximum number of banners, and of portraits, that are stored per IP address and hour. */
const PICTURES_PER_HOUR = 60

/** The maximum number of requests for a list of uploads per IP address and hour. Each list uses the quota of the server's API key. */
const UPLOAD_LISTS_PER_HOUR = 20

const requireOwner = (request: FastifyRequest) => {
  const { uid, verifiedEmail = '' } = toRoleHolder(requireUser(request))
  return { uid, email: verifiedEmail }
}

export function registerWebsiteRoutes({ endpoint, storage, site, nowMs }: RouteContext, websites: WebsiteService): void {
  endpoint('GET /website/get', {}, async (_input, request, reply) => {
    const website = await websites.of(
      requireUser(request).uid,
      createWebsiteUrlBuilder(request.site),
      await site.viewOf(request.site.brand),
    )
    if (website === undefined) reply.code(201)
    return website ?? null
  })

  endpoint('POST /website/activate', {}, async ({ domain_name }, request) => {
    await websites.activate(requireOwner(request), domain_name)
    return null
  })

  endpoint('POST /website/save', {}, async (input, request) => {
    await websites.save(requireOwner(request), input)
    return null
  })

  endpoint('GET /website/uploads', { maxRequestsPerHour: UPLOAD_LISTS_PER_HOUR }, (_input, request) =>
    websites.uploadsOf(requireUser(request).uid),
  )

  const uploadOptions = { maxBytes: UPLOAD_MAX_BYTES, maxPerAccount: 1, admit: ({ uid }: User) => websites.requireActivated(uid) }
  endpoint('POST /website/banner', { upload: uploadOptions, maxRequestsPerHour: PICTURES_PER_HOUR }, async (_input, request) => {
    await websites.savePicture('banner', requireUser(request).uid, request.upload)
    return null
  })

  endpoint('POST /website/portrait', { upload: uploadOptions, maxRequestsPerHour: PICTURES_PER_HOUR }, async (_input, request) => {
    await websites.savePicture('portrait', requireUser(request).uid, request.upload)
    return null
  })

  endpoint('GET /subscriber/getinfo', {}, async ({ domain_name }, request) => {
    const info = await websites.info(domain_name.toLowerCase(), await site.viewOf(request.site.brand))
    if (info === undefined) throw new ApiError('not-found', 'There is no such website.')
    return info
  })

  endpoint('POST /subscriber/click', { maxRequestsPerHour: CLICKS_PER_HOUR }, async ({ domain_name, target }, request) => {
    const domainName = domain_name.toLowerCase()
    // A client's clicks on a link count once an hour, and anew after midnight UTC, so that one visitor cannot inflate the counts that the owner sees.
    const clickLimit = { key: `click ${findNetwork(request.ip)} ${domainName} ${target}`, max: 1, windowMs: HOUR_MS }
    if ((await storage.attempts.take([clickLimit], nowMs())) !== undefined) await websites.countClick(domainName, target)
    return null
  })
}
