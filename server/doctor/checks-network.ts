import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { connect, type PeerCertificate } from 'node:tls'
import { DAY_MS } from '../durations.ts'
import { createSmtpDelivery, createSmtpTransport } from '../mail/delivery.ts'
import type { CheckContext } from './checks-services.ts'
import { describeReason, type Finding } from './probe.ts'

const CONNECTION_TIMEOUT_MS = 10_000
/** The time before its end at which a certificate should have been renewed. */
const CERTIFICATE_RENEWAL_MS = 10 * DAY_MS

/** The functions that look up the addresses of hosts and connect to them. Tests replace them. */
export interface HostAccess {
  resolve: (host: string) => Promise<readonly string[]>
  /** Connects with TLS and returns the certificate, and why it is not trusted; undefined if it is. */
  readCertificate: (host: string) => Promise<{ certificate: Pick<PeerCertificate, 'valid_to'>; distrustReason: string | undefined }>
}

export const realHosts: HostAccess = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  readCertificate: (host) => readTlsCertificate(host, 443, host),
}

/** Connects to a port and reads the certificate that is presented for `host`. */
export const readTlsCertificate = (ipAddress: string, port: number, host: string): ReturnType<HostAccess['readCertificate']> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: ipAddress, port, servername: host, rejectUnauthorized: false, timeout: CONNECTION_TIMEOUT_MS }, () => {
      const { authorizationError } = socket
      const distrust = socket.authorized ? undefined : (authorizationError?.message ?? String(authorizationError))
      resolve({ certificate: socket.getPeerCertificate(), distrustReason: distrust })
      socket.destroy()
    })
    socket.on('error', reject).on('timeout', () => socket.destroy(new Error('no answer in 10 s')))
  })

const isLocalHost = (host: string) => /(?:^|\.)localhost$|^\d+(?:\.\d+){3}$/.test(host)

async function checkCertificate(host: string, { readCertificate }: HostAccess): Promise<Finding> {
  const checkName = `certificate of ${host}`
  const { certificate, distrustReason } = await readCertificate(host)
  const mendText = 'See docs/admin.md, step 4: the certificate must cover the host and its sub-domains, and be renewed.'
  if (distrustReason !== undefined)
    return { check: checkName, status: 'wrong', text: `Browsers do not trust it: ${distrustReason}.`, mend: mendText }
  const remainingMs = Date.parse(certificate.valid_to) - Date.now()
  const daysLeft = Math.floor(remainingMs / DAY_MS)
  return remainingMs < CERTIFICATE_RENEWAL_MS
    ? { check: checkName, status: 'wrong', text: `It ends in ${daysLeft} days.`, mend: mendText }
    : { check: checkName, status: 'ok', text: `It is trusted for ${daysLeft} days.` }
}

async function checkDns(host: string, { resolve }: HostAccess): Promise<Finding> {
  const checkName = `DNS of ${host}`
  const ipAddresses = await resolve(host).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND') return []
    throw error
  })
  return ipAddresses.length === 0
    ? {
        check: checkName,
        status: 'wrong',
        text: 'The name has no address.',
        mend: 'Add an A or AAAA record for the host, and a wildcard *.HOST for radio and sites (docs/admin.md, step 3).',
      }
    : { check: checkName, status: 'ok', text: ipAddresses.join(', ') }
}

const createUnreachedFinding =
  (check: string) =>
  (error: unknown): Finding => ({ check, status: 'could not be reached', text: describeReason(error) })

/** Whether the hosts of the site and their sub-domains have addresses and certificates. */
export async function checkHosts({ config }: CheckContext, access: HostAccess): Promise<Finding[]> {
  const publicHosts = config.siteHosts.filter((host) => !isLocalHost(host))
  if (publicHosts.length === 0) return [{ check: 'hosts', status: 'not configured', text: 'SITE_HOSTS names hosts of this machine only.' }]
  const isHttps = config.publicOrigin.protocol === 'https:'
  const hostFindings = publicHosts.flatMap((host) => [
    checkDns(host, access).catch(createUnreachedFinding(`DNS of ${host}`)),
    // A random subdomain, as a subscriber's site has one: its address shows whether the wildcard record of the DNS exists.
    checkDns(`doctor-${randomUUID().slice(0, 8)}.${host}`, access)
      .then((finding) => ({ ...finding, check: `DNS of *.${host}` }))
      .catch(createUnreachedFinding(`DNS of *.${host}`)),
    ...(isHttps ? [host, `fm.${host}`] : []).map((name) =>
      checkCertificate(name, access).catch(createUnreachedFinding(`certificate of ${name}`)),
    ),
  ])
  return Promise.all(hostFindings)
}

/** Whether the mail server accepts the log-in and, with an address, a mail. */
export async function checkMail({ config }: CheckContext, recipientAddress: string | undefined): Promise<Finding[]> {
  const checkName = 'mail'
  if (config.smtpUrl === undefined)
    return [
      {
        check: checkName,
        status: 'not configured',
        text: 'SMTP_URL is not set: mails are written to files.',
        mend: 'docs/admin.md, step 6.',
      },
    ]
  try {
    const smtpTransport = createSmtpTransport(config.smtpUrl)
    await smtpTransport.verify().finally(() => smtpTransport.close())
    if (recipientAddress === undefined)
      return [{ check: checkName, status: 'ok', text: 'The mail server accepts the log-in. With --mail ADDRESS, a mail is sent.' }]
    const nowMs = Date.now()
    await createSmtpDelivery(
      config.smtpUrl,
      config.mailFrom,
    )({
      id: randomUUID(),
      to: recipientAddress,
      subject: 'A test of the mails of your site',
      text: 'This mail was sent by the command `doctor`. If you read it, mails work.',
      createdMs: nowMs,
      expiresMs: nowMs + DAY_MS,
      attempts: 1,
    })
    return [
      {
        check: checkName,
        status: 'ok',
        text: `The mail server has accepted a mail to ${recipientAddress}. Whether it arrives, and not as spam, shows there only.`,
      },
    ]
  } catch (error) {
    const errorCode = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['ECONNECTION', 'ETIMEDOUT', 'EDNS', 'ESOCKET', 'ECONNREFUSED'].includes(errorCode))
      return [
        {
          check: checkName,
          status: 'could not be reached',
          text: describeReason(error),
          mend: 'Check host and port of SMTP_URL, and whether the provider blocks the port.',
        },
      ]
    return [
      {
        check: checkName,
        status: 'wrong',
        text: `The mail server refuses: ${describeReason(error)}`,
        mend: 'Check user and password in SMTP_URL, and MAIL_FROM.',
      },
    ]
  }
}
