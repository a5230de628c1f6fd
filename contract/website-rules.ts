import { isEmail } from './contact-rules.ts'
import { isYouTubeUrl } from './promotion-rules.ts'

// The rules of a subscriber's website, which the form and the server both apply: without schema code, because the page imports them.

/** The links to other sites, in the form's order, with their labels. */
export const socialLabels = {
  youtube: 'YouTube',
  twitter: 'X',
  patreon: 'Patreon',
  facebook: 'Facebook',
  instagram: 'Instagram',
  discord: 'Discord',
  tiktok: 'TikTok',
  soundcloud: 'SoundCloud',
  rumble: 'Rumble',
  spotify: 'Spotify',
} as const
export type SocialField = keyof typeof socialLabels
export const socialFields = Object.keys(socialLabels) as SocialField[]

/** The maximum length of each text, in characters. */
export const websiteMaxLengths = {
  domain_name: 63,
  name: 60,
  subtitle: 120,
  form_mail: 254,
  about_me: 5000,
  social_text: 500,
  banner_url: 500,
} as const
export const SOCIAL_URL_MAX_LENGTH = 500

export type WebsiteTextField = keyof typeof websiteMaxLengths
export type WebsiteField = WebsiteTextField | SocialField
export type WebsiteTexts = Record<WebsiteField, string>

export const websiteLabels: Record<WebsiteField, string> = {
  domain_name: 'Domain name',
  name: 'Name',
  subtitle: 'Subtitle',
  form_mail: 'Contact email',
  about_me: 'About me',
  social_text: 'Support text',
  banner_url: 'Banner URL',
  ...socialLabels,
}

/** Names that visitors would take for a part of the site itself, or that mail and network software gives a meaning. */
const RESERVED_NAMES = new Set(
  `abuse account accounts admin administrator api app apps auth autoconfig autodiscover beta billing blog cdn checkout contact dashboard demo dev
  discord dns donate download email fm ftp google help host hostmaster image images img imap info internal intranet isatap localhost log-in login
  logout mail media members mx my network news no-reply noreply ns ns1 ns2 official oauth pay payment payments paypal pop pop3 portal postmaster
  premium private radio register reset root secure security service services sftp shop sign-in sign-up signin signup smtp sso ssh staff stage
  staging static status store stripe subscribe subscriptions support system team test update updates upload verification verify vpn webmail
  webmaster wpad www youtube`.split(/\s+/),
)

/** Returns why a text cannot be a domain name; `undefined` if it can, unless it is taken. */
export function domainNameProblem(name: string): 'missing' | 'invalid' | 'reserved' | undefined {
  if (name === '') return 'missing'
  // A label of RFC 1035 in lower case. Names that begin with "xn--" show other letters than they have.
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name) || name.startsWith('xn--')) return 'invalid'
  return RESERVED_NAMES.has(name) ? 'reserved' : undefined
}

const isWebUrl = (text: string) => /^https?:\/\/[^\s@/?#]+\.[^\s@/?#]+(?:[/?#]\S*)?$/i.test(text) && URL.canParse(text)

function problemOf(field: WebsiteField, text: string): 'missing' | 'invalid' | 'reserved' | undefined {
  switch (field) {
    case 'domain_name':
      return domainNameProblem(text)
    case 'name':
      return text.trim() === '' ? 'missing' : undefined
    case 'subtitle':
    case 'about_me':
    case 'social_text':
      return undefined
    case 'form_mail':
      return text === '' || isEmail(text) ? undefined : 'invalid'
    case 'banner_url':
      return text === '' || (isWebUrl(text) && /^https:/i.test(text)) ? undefined : 'invalid'
    case 'youtube':
      if (text === '') return 'missing'
      return isYouTubeUrl(text) ? undefined : 'invalid'
    default:
      return text === '' || isWebUrl(text) ? undefined : 'invalid'
  }
}

const problemTexts: Partial<Record<WebsiteField, string>> = {
  domain_name: 'Please use lower-case letters, digits and hyphens.',
  form_mail: 'Please enter an email address.',
  banner_url: 'Please enter a web address that starts with https://.',
  youtube: 'Please enter a web address of YouTube.',
}

/** Returns the first field whose text is wrong, in the form's order, with a sentence that says why; `undefined` if all are right. */
export function wrongWebsiteField(texts: WebsiteTexts): { field: WebsiteField; text: string } | undefined {
  for (const field of [...(Object.keys(websiteMaxLengths) as WebsiteTextField[]), ...socialFields]) {
    const problem = problemOf(field, texts[field])
    if (problem === 'missing') return { field, text: 'Please fill in this field.' }
    if (problem === 'reserved') return { field, text: RESERVED_TEXT }
    if (problem !== undefined) return { field, text: problemTexts[field] ?? 'Please enter a web address that starts with https://.' }
  }
  return undefined
}

export const RESERVED_TEXT = 'This domain name is reserved. Please choose another.'
export const TAKEN_TEXT = 'This domain name is taken. Please choose another.'

/** What visitors of a website can press, for the owner's counts. */
export const clickTargets = ['visit', 'video', 'playlist', 'radio', 'mail', ...socialFields] as const
export type ClickTarget = (typeof clickTargets)[number]
