import { type FieldProblem, isEmail, isWebUrl, isYouTubeUrl } from './form-rules.ts'
import { hasHiddenCharacters, hasHiddenCharactersInMultilineText, hasStackedAccents } from './text.ts'
import { parseVideoId } from './youtube.ts'

// The form and the server both apply these rules for a subscriber's website. This file contains no schemas, because pages that import it would load
// the schema library as well.

/** The labels of the fields for links to other sites, in the form's order. */
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

/** The maximum numbers of the owner's links and songs, and the length of their titles. */
export const WEBSITE_LINKS_MAX = 20
export const WEBSITE_SONGS_MAX = 8
export const WEBSITE_ENTRY_TITLE_MAX_LENGTH = 100

/**
 * A link or a song that the owner has added to a website. The `url` of a song is that of its video; a song with an empty `title` is shown with its
 * title in the catalogue.
 */
export interface WebsiteEntry {
  title: string
  url: string
}

/** The lists of a website, in the owner's order. */
export interface WebsiteLists {
  links: readonly WebsiteEntry[]
  songs: readonly WebsiteEntry[]
}

/** The accent colors that an owner can choose. The empty text means the brand's accent color. */
export const accentColors = ['', 'coral', 'gold', 'mint', 'sky', 'violet'] as const
export type AccentColor = (typeof accentColors)[number]

/** The ids of the owner's links. The clicks on a link are counted under its id. */
export type LinkId = `link-${number}`
export const linkIds = Array.from({ length: WEBSITE_LINKS_MAX }, (_, index): LinkId => `link-${index + 1}`)

/** For each site, the URL of an account's page without the account's name, which is appended. */
const profileAddresses: Record<SocialField, string> = {
  youtube: 'https://www.youtube.com/@',
  twitter: 'https://x.com/',
  patreon: 'https://www.patreon.com/',
  facebook: 'https://www.facebook.com/',
  instagram: 'https://www.instagram.com/',
  discord: 'https://discord.gg/',
  tiktok: 'https://www.tiktok.com/@',
  soundcloud: 'https://soundcloud.com/',
  rumble: 'https://rumble.com/c/',
  spotify: 'https://open.spotify.com/artist/',
}

/** The sites on which names of accounts may contain dots. A text such as `nova.hale` is a name there, and elsewhere a host. */
const sitesWithDottedNames: ReadonlySet<SocialField | undefined> = new Set<SocialField>(['youtube', 'facebook', 'instagram', 'tiktok'])

/**
 * Completes a text to the web address that a person means: adds `https://` to a text that begins with a host, and replaces an account's name, with or
 * without an at sign, with the address of the account's page. Returns other texts unchanged, except for the space around them, such as a name with dots
 * for Discord, which has no pages of accounts.
 * @param socialField the site of which the text may be an account's name; without it, names are returned unchanged
 */
export function toWebAddress(typedText: string, socialField?: SocialField): string {
  const trimmedText = typedText.trim()
  if (trimmedText === '' || /^[a-z][a-z0-9+.-]*:/i.test(trimmedText)) return trimmedText
  const hostName = /^((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?:[/?#:]|$)/u.exec(trimmedText)?.[1]
  const isAccountName = socialField !== undefined && /^@?[\p{L}\p{N}._-]+$/u.test(trimmedText)
  const isUnknownHost = !/^www\./i.test(trimmedText) && findSocialField(`https://${trimmedText}`) === undefined
  const isDottedName = isAccountName && isUnknownHost && trimmedText.includes('.')
  if (isDottedName && socialField === 'discord') return trimmedText
  if (hostName !== undefined && !(isDottedName && sitesWithDottedNames.has(socialField))) return `https://${trimmedText}`
  if (!isAccountName) return trimmedText
  if (socialField === 'youtube' && /^UC[\w-]{22}$/.test(trimmedText)) return `https://www.youtube.com/channel/${trimmedText}`
  return profileAddresses[socialField] + trimmedText.replace(/^@/, '')
}

const socialHostPatterns: readonly (readonly [SocialField, RegExp])[] = [
  ['youtube', /(?:^|\.)(?:youtube\.com|youtu\.be)$/],
  ['twitter', /(?:^|\.)(?:x\.com|twitter\.com)$/],
  ['patreon', /(?:^|\.)patreon\.com$/],
  ['facebook', /(?:^|\.)(?:facebook\.com|fb\.me)$/],
  ['instagram', /(?:^|\.)instagram\.com$/],
  ['discord', /(?:^|\.)(?:discord\.gg|discord\.com)$/],
  ['tiktok', /(?:^|\.)tiktok\.com$/],
  ['soundcloud', /(?:^|\.)soundcloud\.com$/],
  ['rumble', /(?:^|\.)rumble\.com$/],
  ['spotify', /(?:^|\.)(?:spotify\.com|spotify\.link)$/],
]

/** Returns the field for the site to which a web address belongs; `undefined` if no field is for that site. */
export function findSocialField(url: string): SocialField | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname } = new URL(url)
  return socialHostPatterns.find(([, pattern]) => pattern.test(hostname))?.[0]
}

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

/** Words that suggest an official site or a well-known service, or that have a meaning in mail and network software. */
const RESERVED_WORDS = new Set(
  `abuse account accounts admin administrator admins api app apple apps auth autoconfig autodiscover bank beta billing blog card cards cdn checkout client
  compliance contact cookie cookies copyright customer customers dashboard data database demo dev discord dkim dmarc dmca dns donate donation donations download
  downloads email facebook fm ftp gdpr git github google help helpdesk host hostmaster id identity image images imap img imprint info instagram
  internal intranet invoice invoices isatap jobs keys legal license local localhost log login logout logs mail mailer media member members microsoft mod
  moderation moderator moderators mods mta mx my network news noreply ns official openid oauth operator owner owners pass passwd password passwords patreon
  pay payment payments paypal policies policy pop portal postmaster premium press privacy private proxy radio refund refunds register reply report reports
  reset root safety secure security server service services session settings sftp shop sign signin signon signout signup smtp soundcloud spf spotify sql ssh
  sso staff stage staging static status store stripe sts subscribe subscription subscriptions support sysadmin system team terms test tiktok token tokens tos
  trust twitter update updates upload uploads verification verify verified vpn wallet webadmin webmail webmaster wpad www youtube`.split(
    /\s+/,
  ),
)
/** Words that are reserved only in combination with a reserved word, as in "sign-on" or "no-reply". */
const FILLER_WORDS = ['in', 'on', 'no', 'up', 'out']
/**
 * The minimum length of reserved words that are searched in concatenations. Shorter reserved words are part of many harmless words, so they are
 * reserved only between hyphens or as the whole name.
 */
const JOINED_WORD_MIN_LENGTH = 3

/** Returns whether a text is a concatenation of words of the set, each of at least `JOINED_WORD_MIN_LENGTH` letters. */
function isConcatenationOf(wholeText: string, allowedWords: ReadonlySet<string>): boolean {
  const wordEndIndexes = [0]
  for (let end = JOINED_WORD_MIN_LENGTH; end <= wholeText.length; end++)
    if (wordEndIndexes.some((start) => end - start >= JOINED_WORD_MIN_LENGTH && allowedWords.has(wholeText.slice(start, end))))
      wordEndIndexes.push(end)
  return wordEndIndexes.length > 1 && wordEndIndexes.at(-1) === wholeText.length
}

/**
 * Returns whether a domain name looks official, which is the case if it consists of reserved words, with or without hyphens, with digits added or in
 * place of letters.
 */
export function isReservedDomainName(domainName: string, brandWords: Iterable<string> = []): boolean {
  const reservedWords = new Set([...RESERVED_WORDS, ...brandWords])
  const allowedPartWords = new Set([...reservedWords, ...FILLER_WORDS])
  const replaceDigitsWithLetters = (one: string) =>
    domainName.replace(/[013457]/g, (digit) => ({ 0: 'o', 1: one, 3: 'e', 4: 'a', 5: 's', 7: 't' })[digit] ?? '')
  return [domainName, replaceDigitsWithLetters('i'), replaceDigitsWithLetters('l')].some((nameReading) => {
    const hyphenParts = nameReading
      .replace(/\d/g, '')
      .split('-')
      .filter((field) => field !== '')
    const isMadeOfWords =
      hyphenParts.some((field) => reservedWords.has(field)) &&
      hyphenParts.every((part) => allowedPartWords.has(part) || isConcatenationOf(part, reservedWords))
    return isMadeOfWords || isConcatenationOf(hyphenParts.join(''), reservedWords)
  })
}

/** Returns why a text is not a valid domain name; `undefined` if it is valid. Does not check whether the name is taken. */
export function findDomainNameProblem(domainName: string): Exclude<FieldProblem, 'hidden'> | undefined {
  if (domainName === '') return 'missing'
  // A label of RFC 1035 in lower case. Names that begin with "xn--" are refused, because browsers display them as other letters.
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(domainName) || domainName.startsWith('xn--')) return 'invalid'
  return isReservedDomainName(domainName) ? 'reserved' : undefined
}

function findFieldProblem(field: WebsiteField, fieldText: string): FieldProblem | undefined {
  switch (field) {
    case 'domain_name':
      return findDomainNameProblem(fieldText)
    case 'name':
      if (fieldText.trim() === '') return 'missing'
      return findTitleProblem(fieldText) === undefined ? undefined : 'hidden'
    case 'subtitle':
      return findTitleProblem(fieldText) === undefined ? undefined : 'hidden'
    case 'about_me':
    case 'social_text':
      return hasHiddenCharactersInMultilineText(fieldText) ? 'hidden' : undefined
    case 'form_mail':
      return fieldText === '' || isEmail(fieldText) ? undefined : 'invalid'
    case 'banner_url':
      return fieldText === '' || (isWebUrl(fieldText) && /^https:/i.test(fieldText)) ? undefined : 'invalid'
    case 'youtube':
      if (fieldText === '') return 'missing'
      return isYouTubeUrl(fieldText) ? undefined : 'invalid'
    default:
      return fieldText === '' || isWebUrl(fieldText) ? undefined : 'invalid'
  }
}

const problemTexts: Partial<Record<WebsiteField, string>> = {
  domain_name: 'Please use lower-case letters, digits and hyphens.',
  form_mail: 'Please enter an email address.',
  banner_url: 'Please enter a web address that starts with https://.',
  youtube: 'Please enter a YouTube address.',
  discord: 'Please enter an invite link or its code.',
}

/** The name of an input of the form: a field, or a part of an entry of a list, such as `links.0.url`. */
export type WebsiteInputName = WebsiteField | `${keyof WebsiteLists}.${number}.${keyof WebsiteEntry}`

/** An invalid input of the form, with a message for the owner and the input's label. */
export interface WebsiteProblem {
  input: WebsiteInputName
  label: string
  text: string
}

const HIDDEN_CHARACTERS_MESSAGE = 'Please remove the invisible characters from this text.'
const MISSING_FIELD_MESSAGE = 'Please fill in this field.'

/** Returns the message about an invalid name or title, which must be a single line; `undefined` if the text is valid. */
const findTitleProblem = (title: string): string | undefined =>
  hasHiddenCharacters(title) ? HIDDEN_CHARACTERS_MESSAGE : hasStackedAccents(title) ? 'Please use fewer accents on one letter.' : undefined

/** The message about an address that is too long, or became too long because `https://` or a site's address was added. */
const LONG_ADDRESS_MESSAGE = `Please enter an address of at most ${SOCIAL_URL_MAX_LENGTH} characters.`

const isSocialField = (field: WebsiteField): field is SocialField => Object.hasOwn(socialLabels, field)

function describeFieldProblem(field: WebsiteField, fieldText: string): string | undefined {
  if (isSocialField(field) && fieldText.length > SOCIAL_URL_MAX_LENGTH) return LONG_ADDRESS_MESSAGE
  switch (findFieldProblem(field, fieldText)) {
    case undefined:
      return undefined
    case 'missing':
      return MISSING_FIELD_MESSAGE
    case 'reserved':
      return RESERVED_NAME_MESSAGE
    case 'hidden':
      return findTitleProblem(fieldText) ?? HIDDEN_CHARACTERS_MESSAGE
    case 'invalid':
      return problemTexts[field] ?? 'Please enter a web address that starts with https://.'
  }
}

function listProblems({ links, songs }: WebsiteLists): WebsiteProblem[] {
  const foundProblems: WebsiteProblem[] = []
  const checkField = (listName: keyof WebsiteLists, index: number, fieldName: keyof WebsiteEntry, fieldText: string | undefined) => {
    const label = `${listName === 'links' ? 'Link' : 'Song'} ${index + 1}`
    if (fieldText !== undefined) foundProblems.push({ input: `${listName}.${index}.${fieldName}`, label, text: fieldText })
  }
  for (const [index, { title, url }] of links.entries()) {
    checkField('links', index, 'title', title.trim() === '' ? MISSING_FIELD_MESSAGE : findTitleProblem(title))
    checkField(
      'links',
      index,
      'url',
      url.length > SOCIAL_URL_MAX_LENGTH ? LONG_ADDRESS_MESSAGE : isWebUrl(url) ? undefined : 'Please enter a web address.',
    )
  }
  for (const [index, { title, url }] of songs.entries()) {
    const videoId = parseVideoId(url)
    const isSongRepeated = videoId !== undefined && songs.slice(0, index).some((song) => parseVideoId(song.url) === videoId)
    checkField(
      'songs',
      index,
      'url',
      videoId === undefined
        ? 'Please enter the link of a video on YouTube.'
        : isSongRepeated
          ? 'This song is in the list already.'
          : undefined,
    )
    checkField('songs', index, 'title', findTitleProblem(title))
  }
  return foundProblems
}

/**
 * Returns the invalid inputs of the form, in its order. The website's current domain name is valid even if it is reserved.
 */
export function findWebsiteProblems(websiteTexts: WebsiteTexts, websiteLists: WebsiteLists, currentDomainName: string): WebsiteProblem[] {
  const findFieldProblems = (fields: readonly WebsiteField[]) =>
    fields.flatMap((websiteField): WebsiteProblem[] => {
      if (websiteField === 'domain_name' && websiteTexts.domain_name === currentDomainName && currentDomainName !== '') return []
      const text = describeFieldProblem(websiteField, websiteTexts[websiteField])
      return text === undefined ? [] : [{ input: websiteField, label: websiteLabels[websiteField], text }]
    })
  return [
    ...findFieldProblems(Object.keys(websiteMaxLengths) as WebsiteTextField[]),
    ...listProblems(websiteLists),
    ...findFieldProblems(socialFields),
  ]
}

export const RESERVED_NAME_MESSAGE = 'This domain name is reserved. Please choose another.'
export const TAKEN_NAME_MESSAGE = 'This domain name is taken. Please choose another.'

/** The kinds of links on a website whose clicks are counted for its owner. */
export const clickTargets = ['visit', 'video', 'playlist', 'radio', 'mail', ...socialFields, ...linkIds] as const
export type ClickTarget = (typeof clickTargets)[number]
