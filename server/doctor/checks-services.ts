import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Finding, Probe } from './probe.ts'

/** The addresses of the real services. Tests replace them by peers on this machine. */
export interface ServiceAddresses {
  youtubeOrigin: string
  frameOrigin: string
  thumbnailOrigin: string
  stripeOrigin: string
}

export const realServices: ServiceAddresses = {
  youtubeOrigin: 'https://www.youtube.com',
  frameOrigin: 'https://www.youtube-nocookie.com',
  thumbnailOrigin: 'https://i.ytimg.com',
  stripeOrigin: 'https://api.stripe.com',
}

export interface CheckContext {
  config: Config
  probe: Probe
  services: ServiceAddresses
  /** The video that the checks read. */
  videoId: string
}

/** The events that `docs/admin.md`, step 8, lists. */
const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice_payment.paid',
  'charge.refunded',
  'charge.dispute.closed',
]
const CLOCK_TOLERANCE_MS = 5000

/** Parses JSON and returns the value at a path of property names and indices; undefined if there is none. */
function readJsonPath(jsonText: string, ...fieldNames: (string | number)[]): unknown {
  try {
    return fieldNames.reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      JSON.parse(jsonText),
    )
  } catch {
    return undefined
  }
}

const createOwnUrl = ({ config }: CheckContext, path: string) => new URL(path, config.publicOrigin).href

/** Whether YouTube allows other sites to play the video, and whether the clock of this machine is right. */
export async function checkVideo({ probe, services, videoId }: CheckContext): Promise<Finding[]> {
  const watchUrl = `https://www.youtube.com/watch?v=${videoId}`
  const answer = await probe.send(
    `${services.youtubeOrigin}/oembed?${new URLSearchParams({ url: watchUrl, format: 'json' })}`,
    {},
    'youtube-oembed',
  )
  const clockFindings: Finding[] =
    answer.skewMs === undefined
      ? []
      : [
          Math.abs(answer.skewMs) <= CLOCK_TOLERANCE_MS
            ? { check: 'clock', status: 'ok', text: 'This machine and YouTube agree on the time to 5 s.' }
            : {
                check: 'clock',
                status: 'wrong',
                text: `This machine's clock is ${Math.abs(Math.round(answer.skewMs / 1000))} s ${answer.skewMs > 0 ? 'fast' : 'slow'}.`,
                mend: 'Run `timedatectl set-ntp true`: logins, signatures of payments and the radio need the right time.',
              },
        ]
  const checkName = 'embed'
  if (answer.status === 200)
    return [...clockFindings, { check: checkName, status: 'ok', text: `YouTube lets other sites play ${videoId}.` }]
  if (answer.status === 401 || answer.status === 403)
    return [
      ...clockFindings,
      {
        check: checkName,
        status: 'wrong',
        text: `The owner of ${videoId} does not let other sites play it.`,
        mend: 'Choose another video with --video.',
      },
    ]
  return [
    ...clockFindings,
    {
      check: checkName,
      status: 'wrong',
      text: `YouTube answers ${answer.status} for ${videoId}.`,
      mend: 'Choose a video that exists with --video.',
    },
  ]
}

/** Whether this machine can load the page that YouTube's player shows in a frame. */
export async function checkFrame({ probe, services, videoId, config }: CheckContext): Promise<Finding[]> {
  const checkName = 'player frame'
  const answer = await probe.send(
    `${services.frameOrigin}/embed/${videoId}`,
    { headers: { referer: `${config.publicOrigin.origin}/` } },
    'youtube-embed',
  )
  if (answer.status === 200 && /^text\/html/.test(answer.headers.get('content-type') ?? ''))
    return [{ check: checkName, status: 'ok', text: 'The frame of the player is served. Whether it plays shows in a browser only.' }]
  const mendText =
    answer.status >= 300 && answer.status < 400
      ? 'A page of consent may stand before YouTube in this network: try a browser.'
      : 'Try the frame in a browser.'
  return [{ check: checkName, status: 'wrong', text: `The frame of the player is answered with ${answer.status}.`, mend: mendText }]
}

/** Checks that the site's content security policy allows the script of YouTube's player. */
export async function checkPlayerScript({ probe, services }: CheckContext): Promise<Finding[]> {
  const checkName = 'player script'
  const answer = await probe.send(`${services.youtubeOrigin}/iframe_api`, {}, 'youtube-iframe-api')
  const scriptText = answer.text
    .replaceAll('\\', '')
    .split(/['"\s]/)
    .find((part) => part.startsWith('https://') && part.includes('www-widgetapi'))
  if (answer.status !== 200 || scriptText === undefined)
    return [
      {
        check: checkName,
        status: 'wrong',
        text: `YouTube answers ${answer.status} without the player's script.`,
        mend: 'Try https://www.youtube.com/iframe_api in a browser.',
      },
    ]
  if (!scriptText.startsWith('https://www.youtube.com/s/player/'))
    return [
      {
        check: checkName,
        status: 'wrong',
        text: `The player's script is now at ${scriptText.slice(0, 100)}.`,
        mend: "The site's content security policy does not allow this address: update the site.",
      },
    ]
  return [
    {
      check: checkName,
      status: 'ok',
      text: "The player's script is where the site expects it. The rates that it allows show in a browser only.",
    },
  ]
}

export async function checkThumbnails({ probe, services, videoId }: CheckContext): Promise<Finding[]> {
  const answer = await probe.send(`${services.thumbnailOrigin}/vi/${videoId}/hqdefault.jpg`, {}, 'youtube-thumbnail')
  const contentType = answer.headers.get('content-type') ?? ''
  return answer.status === 200 && contentType.startsWith('image/')
    ? [{ check: 'thumbnails', status: 'ok', text: 'Pictures of videos are served.' }]
    : [
        {
          check: 'thumbnails',
          status: 'wrong',
          text: `A picture is answered with ${answer.status} ${contentType}.`,
          mend: 'Let the server reach i.ytimg.com.',
        },
      ]
}

/** Whether the key of the YouTube Data API works, and whether its quota is left. */
export async function checkYoutubeKey({ probe, config, videoId }: CheckContext): Promise<Finding[]> {
  const checkName = 'YouTube Data API'
  const { apiKey, apiBase } = config.youtube
  if (apiKey === undefined) return [{ check: checkName, status: 'not configured', text: 'YOUTUBE_API_KEY is not set.' }]
  const queryParams = new URLSearchParams({ part: 'snippet,contentDetails,status', id: videoId, key: apiKey })
  const answer = await probe.send(`${apiBase}/videos?${queryParams}`, {}, 'youtube-videos')
  if (answer.status === 200) {
    const embeddable = readJsonPath(answer.text, 'items', 0, 'status', 'embeddable')
    const note = embeddable === false ? ` It says that ${videoId} must not be embedded.` : ''
    return [{ check: checkName, status: 'ok', text: `The key works, and its quota is not used up.${note}` }]
  }
  const errorReason = String(readJsonPath(answer.text, 'error', 'errors', 0, 'reason') ?? '').slice(0, 50)
  const remedyByReason: Record<string, string> = {
    quotaExceeded: 'The quota is renewed at midnight in California; a larger one is requested in the Google Cloud console.',
    accessNotConfigured: 'Enable the YouTube Data API v3 in the project of the key.',
    ipRefererBlocked: "The key's restrictions exclude this server: allow its address.",
  }
  return [
    {
      check: checkName,
      status: 'wrong',
      text: `Google answers ${answer.status} ${errorReason}.`,
      mend: remedyByReason[errorReason] ?? 'Check YOUTUBE_API_KEY (docs/admin.md, step 2).',
    },
  ]
}

/** Checks that Discord accepts the application's id and secret. */
export async function checkDiscord(context: CheckContext): Promise<Finding[]> {
  const { probe, config } = context
  const { discord } = config
  if (discord === undefined) return [{ check: 'Discord', status: 'not configured', text: 'DISCORD_CLIENT_ID is not set.' }]
  const answer = await probe.send(
    `${discord.apiBase}/api/oauth2/token`,
    {
      method: 'POST',
      headers: { 'user-agent': `DiscordBot (${config.publicOrigin.origin}, 1)` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'identify',
        client_id: discord.clientId,
        client_secret: discord.clientSecret,
      }),
    },
    'discord-token',
  )
  if (answer.status !== 200) {
    const errorReason = String(readJsonPath(answer.text, 'error') ?? '').slice(0, 50)
    return [
      {
        check: 'Discord',
        status: 'wrong',
        text: `Discord answers ${answer.status} ${errorReason}.`,
        mend: 'Check DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET (docs/admin.md, step 7).',
      },
    ]
  }
  const redirectUrls = config.siteHosts.map((host) =>
    createOwnUrl(context, '/account/link_discord').replace(config.publicOrigin.hostname, host),
  )
  return [
    {
      check: 'Discord',
      status: 'ok',
      text: `Discord knows the application and its secret. Its redirects cannot be read: compare them with ${redirectUrls.join(', ')}.`,
    },
  ]
}

/** Whether Stripe sends its events to this site. */
export async function checkStripe(context: CheckContext): Promise<Finding[]> {
  const { probe, services, config } = context
  const checkName = 'Stripe endpoint'
  if (config.stripeWebhookSecrets.length === 0)
    return [{ check: checkName, status: 'not configured', text: 'STRIPE_WEBHOOK_SECRET is not set.' }]
  if (config.stripeApiKey === undefined)
    return [
      {
        check: checkName,
        status: 'not configured',
        text: 'STRIPE_API_KEY is not set; with a restricted key that may read webhook endpoints, the registration is checked.',
      },
    ]
  const answer = await probe.send(
    `${services.stripeOrigin}/v1/webhook_endpoints?limit=100`,
    { headers: { authorization: `Bearer ${config.stripeApiKey}` } },
    'stripe-webhook-endpoints',
  )
  if (answer.status !== 200)
    return [
      {
        check: checkName,
        status: 'wrong',
        text: `Stripe answers ${answer.status}.`,
        mend: 'Give STRIPE_API_KEY the permission to read webhook endpoints.',
      },
    ]
  const url = createOwnUrl(context, '/api/webhooks/stripe')
  const responseData = readJsonPath(answer.text, 'data')
  const stripeEndpoint: unknown = Array.isArray(responseData)
    ? responseData.find((each: unknown) => readJsonPath(JSON.stringify(each), 'url') === url)
    : undefined
  if (stripeEndpoint === undefined)
    return [
      { check: checkName, status: 'wrong', text: `No endpoint at Stripe has the address ${url}.`, mend: 'Add it (docs/admin.md, step 8).' },
    ]
  const endpointText = JSON.stringify(stripeEndpoint)
  if (readJsonPath(endpointText, 'status') !== 'enabled')
    return [{ check: checkName, status: 'wrong', text: `The endpoint ${url} is disabled.`, mend: 'Enable it at Stripe.' }]
  const enabledEvents = readJsonPath(endpointText, 'enabled_events')
  const missingEvents =
    Array.isArray(enabledEvents) && !enabledEvents.includes('*') ? STRIPE_EVENTS.filter((event) => !enabledEvents.includes(event)) : []
  return missingEvents.length > 0
    ? [
        {
          check: checkName,
          status: 'wrong',
          text: `The endpoint does not get ${missingEvents.join(', ')}.`,
          mend: 'Add these events at Stripe.',
        },
      ]
    : [{ check: checkName, status: 'ok', text: 'Stripe sends all events to this site.' }]
}

/** Whether the running server accepts an event that is signed with the configured secret. The event is of no type that the server stores. */
export async function checkWebhookSecret(context: CheckContext): Promise<Finding[]> {
  const [webhookSecret] = context.config.stripeWebhookSecrets
  if (webhookSecret === undefined) return []
  const checkName = 'Stripe secret'
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const eventBody = JSON.stringify({
    id: 'evt_doctor',
    object: 'event',
    type: 'doctor.ping',
    created: timestampSeconds,
    data: { object: {} },
  })
  const signatureText = createHmac('sha256', webhookSecret).update(`${timestampSeconds}.${eventBody}`).digest('hex')
  const answer = await context.probe.send(createOwnUrl(context, '/api/webhooks/stripe'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${timestampSeconds},v1=${signatureText}` },
    body: eventBody,
  })
  if (answer.status === 200)
    return [{ check: checkName, status: 'ok', text: 'The running server accepts events that STRIPE_WEBHOOK_SECRET has signed.' }]
  return [
    {
      check: checkName,
      status: 'wrong',
      text: `The site answers ${answer.status} to a signed event.`,
      mend: 'Restart the server, if the secret was changed; else check that the proxy passes /api/webhooks/stripe unchanged.',
    },
  ]
}

const REFERRER_POLICIES: ReadonlySet<string> = new Set([
  'no-referrer',
  'no-referrer-when-downgrade',
  'same-origin',
  'origin',
  'strict-origin',
  'origin-when-cross-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
])

/**
 * Returns the policy that browsers follow: the last one that they know in the comma-separated value, which joins all headers of the name. Undefined
 * if there is none. https://www.w3.org/TR/referrer-policy/#parse-referrer-policy-from-header
 */
const readReferrerPolicy = (headerValue: string): string | undefined =>
  headerValue
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .findLast((token) => REFERRER_POLICIES.has(token))

/** Whether the pages of the site send the referrer without which YouTube's player fails with error 153. */
export async function checkReferrer(context: CheckContext): Promise<Finding[]> {
  const checkName = 'Referer'
  const answer = await context.probe.send(createOwnUrl(context, '/'))
  if (answer.status !== 200)
    return [{ check: checkName, status: 'wrong', text: `The site answers ${answer.status}.`, mend: 'Check PUBLIC_ORIGIN and the proxy.' }]
  const referrerPolicy = readReferrerPolicy(answer.headers.get('referrer-policy') ?? '')
  return referrerPolicy === 'no-referrer' || referrerPolicy === 'same-origin'
    ? [
        {
          check: checkName,
          status: 'wrong',
          text: `The pages have the referrer policy ${referrerPolicy}, with which YouTube refuses to play (error 153).`,
          mend: 'Remove the header Referrer-Policy from the proxy: the server sends the right one.',
        },
      ]
    : [{ check: checkName, status: 'ok', text: 'The pages let browsers name the site to YouTube.' }]
}
