/** The people in the model. */
export const personNames = ['ann', 'bob', 'cy'] as const
export type PersonName = (typeof personNames)[number]
export const createEmail = (name: PersonName) => `${name}@people.example`
/** The text that a person sends with the contact form. */
export const createMessage = (name: PersonName) => `from ${name}`
export const SONG_IDS = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'BBBBBBBBBB1'] as const

interface ModelAccount {
  uid: string
  password: string
  isVerified: boolean
  isDisabled: boolean
  /** The tokens of the newest login, or undefined while the person is signed out. */
  login: { idToken: string; refreshToken: string; untilMs: number } | undefined
  favorites: Set<string>
  discordId: string
  website: { domain: string; isEnabled: boolean; hasBanner: boolean } | undefined
}

/** A payment. It belongs to an account, or to the account that has verified its email address. */
interface ModelPayment {
  id: string
  plan: 'premium' | 'premium_plus' | 'donate'
  email: string
  uid: string | undefined
  untilMs: number
}

/** The data that the site must show and store according to its rules. */
export interface LifeModel {
  nowMs: number
  accounts: Map<PersonName, ModelAccount>
  payments: ModelPayment[]
  /** All domain names that were ever given, each with the uid of its owner and the time from which it leads nowhere. */
  domains: Map<string, { uid: string; untilMs: number }>
  deletedUids: Set<string>
}

export const createModel = (nowMs: number): LifeModel => ({
  nowMs,
  accounts: new Map(),
  payments: [],
  domains: new Map(),
  deletedUids: new Set(),
})

/** Returns the roles that an account has by its payments, in alphabetical order. */
export function computeRoles({ payments, accounts, nowMs }: LifeModel, name: PersonName): string[] {
  const modelAccount = accounts.get(name)
  const ownPayments = payments.filter(
    ({ uid, email, untilMs }) =>
      untilMs > nowMs && (uid === undefined ? modelAccount?.isVerified === true && email === createEmail(name) : uid === modelAccount?.uid),
  )
  const isSubscriber = ownPayments.some(({ plan }) => plan !== 'donate')
  const isDonator = ownPayments.some(({ plan }) => plan !== 'premium')
  return [...(isDonator ? ['donator'] : []), ...(isSubscriber ? ['subscriber'] : [])]
}

/** Returns whether visitors can see the website of a person. */
export function isWebsiteShown(model: LifeModel, name: PersonName): boolean {
  const account = model.accounts.get(name)
  return account?.website?.isEnabled === true && !account.isDisabled && computeRoles(model, name).includes('subscriber')
}

/** Returns the person to whose website a domain name leads. */
export function findOwnerName({ accounts, domains, nowMs }: LifeModel, domainName: string): PersonName | undefined {
  const given = domains.get(domainName)
  return given === undefined || given.untilMs <= nowMs ? undefined : personNames.find((name) => accounts.get(name)?.uid === given.uid)
}
