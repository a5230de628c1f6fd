import { checkFileStore } from './checks-files.ts'
import { checkHosts, checkMail, type HostAccess, realHosts } from './checks-network.ts'
import {
  type CheckContext,
  checkDiscord,
  checkFrame,
  checkPlayerScript,
  checkReferrer,
  checkStripe,
  checkThumbnails,
  checkVideo,
  checkWebhookSecret,
  checkYoutubeKey,
  realServices,
} from './checks-services.ts'
import { createProbe, describeReason, type Finding } from './probe.ts'
import type { Recording } from './recording.ts'

const namedChecks: readonly (readonly [name: string, (context: CheckContext) => Promise<Finding[]>])[] = [
  ['embed', checkVideo],
  ['player frame', checkFrame],
  ['player script', checkPlayerScript],
  ['thumbnails', checkThumbnails],
  ['Referer', checkReferrer],
  ['YouTube Data API', checkYoutubeKey],
  ['Discord', checkDiscord],
  ['Stripe endpoint', checkStripe],
  ['Stripe secret', checkWebhookSecret],
  ['file store', checkFileStore],
]

export interface DoctorOptions extends Pick<CheckContext, 'config' | 'videoId'> {
  /** The email address to which a mail is sent; undefined sends none. */
  mailTo: string | undefined
  services?: CheckContext['services']
  hosts?: HostAccess
}

/** Checks the configured external services with real requests. Returns the findings, and recordings of the responses. */
export async function runDoctor({ mailTo, services = realServices, hosts = realHosts, ...options }: DoctorOptions): Promise<{
  findings: Finding[]
  recordings: Recording[]
}> {
  const serviceProbe = createProbe()
  const context: CheckContext = { ...options, services, probe: serviceProbe }
  const checkResults = await Promise.all([
    ...namedChecks.map(([name, run]) =>
      run(context).catch((error: unknown): Finding[] => [{ check: name, status: 'could not be reached', text: describeReason(error) }]),
    ),
    checkMail(context, mailTo),
    checkHosts(context, hosts),
  ])
  return { findings: checkResults.flat(), recordings: serviceProbe.recordings }
}
