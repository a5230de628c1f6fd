import type { Config } from '../config.ts'
import { normaliseEmail } from '../identity/account-service.ts'
import { IdentityError } from '../identity/identity-error.ts'
import { checkPolicy, createPasswords } from '../identity/passwords.ts'
import { newUid } from '../identity/secrets.ts'
import { type Account, type Page, type Role, type RoleGrant, roles, type Storage } from '../storage/storage.ts'
import { type Command, type CommandInput, printable, takeOperands, UsageError } from './command.ts'

const PAGE_ROWS = 10_000
const DAY_MS = 24 * 3_600_000

const isoOf = (ms: number) => new Date(ms).toISOString()

function emailOf({ email }: CommandInput): string {
  if (email === undefined) throw new UsageError('--email is missing')
  try {
    return normaliseEmail(email)
  } catch (error) {
    if (error instanceof IdentityError) throw new UsageError(`--email must be an address, not '${printable(email)}'`)
    throw error
  }
}

function passwordOf({ password }: CommandInput): string {
  if (password === undefined) throw new UsageError('--password is missing')
  try {
    checkPolicy(password)
  } catch (error) {
    if (error instanceof IdentityError) throw new UsageError(error.message.replace(/^\w+ : Password/, '--password'))
    throw error
  }
  return password
}

function roleOf({ role: text }: CommandInput): Role {
  const role = roles.find((each) => each === text)
  if (role === undefined)
    throw new UsageError(`--role must be ${roles.join(' or ')}${text === undefined ? '' : `, not '${printable(text)}'`}`)
  return role
}

/** A date without a time means all of that day, in UTC. */
function untilOf({ until }: CommandInput): number | undefined {
  if (until === undefined) return undefined
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(until)
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(until)
  const ms = isDay || isTime ? Date.parse(until) : Number.NaN
  // 30 February would otherwise become a day in March.
  if (Number.isNaN(ms) || (isDay && isoOf(ms).slice(0, 10) !== until))
    throw new UsageError(`--until must be a date such as 2026-12-31, or a time such as 2026-12-31T12:00:00Z, not '${printable(until)}'`)
  return isDay ? ms + DAY_MS : ms
}

async function accountOf(email: string, storage: Storage, { firebase }: Config): Promise<Account> {
  if (firebase !== undefined)
    throw new UsageError(`Accounts are kept by the Firebase project ${firebase.projectId}: change them in its console`)
  const account = await storage.accounts.byEmail(email)
  if (account === undefined) throw new UsageError(`There is no account of ${printable(email)}`)
  return account
}

async function everyRow<T>(read: (page: Page) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const page = await read({ limit: PAGE_ROWS, offset: all.length })
    all.push(...page)
    if (page.length < PAGE_ROWS) return all
  }
}

const dataOf = ({ role, source, untilMs }: RoleGrant) => ({ role, source, until: untilMs === undefined ? null : isoOf(untilMs) })

export const userCreate: Command = {
  words: 'user create',
  synopsis: '--email E --password P [--role R]',
  summary: 'Makes an account, where the server keeps the accounts itself.',
  run: async (input, storage, { firebase }) => {
    takeOperands(input, 0, 0)
    const email = emailOf(input)
    const password = passwordOf(input)
    const role = input.role === undefined ? undefined : roleOf(input)
    if (firebase !== undefined)
      throw new UsageError(`Accounts are kept by the Firebase project ${firebase.projectId}: make them in its console`)
    const uid = newUid()
    const passwordHash = await createPasswords().hash(email, password)
    if (!(await storage.accounts.create({ uid, email, passwordHash, atMs: Date.now() })))
      throw new UsageError(`${printable(email)} has an account already`)
    if (role !== undefined) await storage.roles.grant(email, { role, source: 'admin', untilMs: undefined })
    const as = role === undefined ? '' : `, as ${role}`
    return { text: `${printable(email)} has an account${as}.`, data: { uid, email, roles: role === undefined ? [] : [role] } }
  },
}

export const userGrant: Command = {
  words: 'user grant',
  synopsis: '--email E --role R [--until DATE]',
  summary: 'Gives a role to an address, which need not have signed up yet; without DATE it does not end.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const email = emailOf(input)
    const grant: RoleGrant = { role: roleOf(input), source: 'admin', untilMs: untilOf(input) }
    await storage.roles.grant(email, grant)
    const end = grant.untilMs === undefined ? '' : ` until ${isoOf(grant.untilMs)}`
    return { text: `${printable(email)} is ${grant.role}${end}.`, data: { email, ...dataOf(grant) } }
  },
}

export const userRevoke: Command = {
  words: 'user revoke',
  synopsis: '--email E --role R',
  summary: 'Takes away a role that was given by this command; one that was paid for stays.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const email = emailOf(input)
    const role = roleOf(input)
    if (!(await storage.roles.revoke(email, role, 'admin'))) throw new UsageError(`${printable(email)} was not given the role ${role}`)
    return { text: `${printable(email)} no longer has the role ${role} from this command.`, data: { email, role } }
  },
}

const switchCommand = (word: 'disable' | 'enable', summary: string): Command => ({
  words: `user ${word}`,
  synopsis: '--email E',
  summary,
  run: async (input, storage, config) => {
    takeOperands(input, 0, 0)
    const account = await accountOf(emailOf(input), storage, config)
    const disabled = word === 'disable'
    await storage.accounts.setDisabled(account.uid, disabled)
    return { text: `The account of ${printable(account.email)} is ${word}d.`, data: { uid: account.uid, email: account.email, disabled } }
  },
})

export const userDisable = switchCommand('disable', 'Stops an account from logging in, and what it is logged in to, at once.')
export const userEnable = switchCommand('enable', 'Lets a disabled account log in again.')

export const userDelete: Command = {
  words: 'user delete',
  synopsis: '--email E',
  summary: 'Removes an account and all that belongs to it.',
  run: async (input, storage, config) => {
    takeOperands(input, 0, 0)
    const { uid, email } = await accountOf(emailOf(input), storage, config)
    await storage.accounts.remove(uid)
    return { text: `The account of ${printable(email)} is gone.`, data: { uid, email } }
  },
}

export const userList: Command = {
  words: 'user list',
  synopsis: '',
  summary: 'Lists the accounts, oldest first, then the addresses that have a role but no account here.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const accounts = await everyRow((page) => storage.accounts.all(page))
    const grants = await everyRow((page) => storage.roles.all(page))
    const rolesOf = new Map<string, ReturnType<typeof dataOf>[]>()
    for (const grant of grants) rolesOf.set(grant.email, [...(rolesOf.get(grant.email) ?? []), dataOf(grant)])
    const rows = accounts.map(({ uid, email, emailVerified, disabled, createdMs, lastLoginMs }) => ({
      ...{ email, uid, created: isoOf(createdMs), last_login: isoOf(lastLoginMs), email_verified: emailVerified, disabled },
      roles: rolesOf.get(email) ?? [],
    }))
    const known = new Set(accounts.map((account) => account.email))
    const others = [...rolesOf].flatMap(([email, roles]) => (known.has(email) ? [] : [{ email, roles }]))
    const rolesText = (of: ReturnType<typeof dataOf>[]) =>
      of.map(({ role, source, until }) => `${role} (${source}${until === null ? '' : `, until ${until}`})`).join(', ')
    const lines = [
      ...rows.map((row) =>
        [
          printable(row.email),
          row.uid,
          `created ${row.created}`,
          `last log-in ${row.last_login}`,
          row.disabled ? 'disabled' : '',
          rolesText(row.roles),
        ]
          .filter((part) => part !== '')
          .join('  '),
      ),
      ...others.map(({ email, roles }) => `${printable(email)}  no account here  ${rolesText(roles)}`),
    ]
    return { text: lines.length === 0 ? 'No accounts.' : lines.join('\n'), data: [...rows, ...others] }
  },
}
