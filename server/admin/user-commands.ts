import type { Role } from '../../contract/account.ts'
import type { Config } from '../config.ts'
import { normaliseEmail } from '../identity/account-service.ts'
import { IdentityError } from '../identity/identity-error.ts'
import { checkPolicy, createPasswords } from '../identity/passwords.ts'
import { newUid } from '../identity/secrets.ts'
import type { Account } from '../storage/interfaces/accounts.ts'
import type { Pagination } from '../storage/interfaces/pagination.ts'
import { type RoleGrant, roles } from '../storage/interfaces/roles.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, type CommandInput, takeOperands, toPrintable, UsageError } from './command.ts'

const PAGE_ROWS = 10_000
const DAY_MS = 24 * 3_600_000

const isoOf = (ms: number) => new Date(ms).toISOString()

function emailOf({ email }: CommandInput): string {
  if (email === undefined) throw new UsageError('--email is missing')
  try {
    return normaliseEmail(email)
  } catch (error) {
    if (error instanceof IdentityError) throw new UsageError(`--email must be an address, not '${toPrintable(email)}'`)
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
    throw new UsageError(`--role must be ${roles.join(' or ')}${text === undefined ? '' : `, not '${toPrintable(text)}'`}`)
  return role
}

/** Parses `--until` to epoch milliseconds. A date without a time includes the whole day in UTC. */
function untilOf({ until }: CommandInput): number | undefined {
  if (until === undefined) return undefined
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(until)
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(until)
  const ms = isDate || isTime ? Date.parse(until) : Number.NaN
  // Checks the day, because `Date.parse` turns 30 February into a day in March.
  if (Number.isNaN(ms) || (isDate && isoOf(ms).slice(0, 10) !== until))
    throw new UsageError(`--until must be a date such as 2026-12-31, or a time such as 2026-12-31T12:00:00Z, not '${toPrintable(until)}'`)
  return isDate ? ms + DAY_MS : ms
}

async function accountOf(email: string, storage: Storage, { firebase }: Config): Promise<Account> {
  if (firebase !== undefined)
    throw new UsageError(`Accounts are kept by the Firebase project ${firebase.projectId}: change them in its console`)
  const account = await storage.accounts.findByEmail(email)
  if (account === undefined) throw new UsageError(`There is no account of ${toPrintable(email)}`)
  return account
}

async function readAllRows<T>(read: (page: Pagination) => Promise<T[]>): Promise<T[]> {
  const allPages: T[] = []
  for (;;) {
    const page = await read({ limit: PAGE_ROWS, offset: allPages.length })
    allPages.push(...page)
    if (page.length < PAGE_ROWS) return allPages
  }
}

const grantData = ({ role, source, untilMs }: RoleGrant) => ({ role, source, until: untilMs === undefined ? null : isoOf(untilMs) })

export const userCreate: Command = {
  commandWords: 'user create',
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
      throw new UsageError(`${toPrintable(email)} has an account already`)
    if (role !== undefined) await storage.roles.grant(email, { role, source: 'admin', untilMs: undefined })
    const as = role === undefined ? '' : `, as ${role}`
    return { text: `${toPrintable(email)} has an account${as}.`, data: { uid, email, roles: role === undefined ? [] : [role] } }
  },
}

export const userGrant: Command = {
  commandWords: 'user grant',
  synopsis: '--email E --role R [--until DATE]',
  summary: 'Gives a role to an address, which need not have signed up yet; without DATE it does not end.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const email = emailOf(input)
    const grant: RoleGrant = { role: roleOf(input), source: 'admin', untilMs: untilOf(input) }
    await storage.roles.grant(email, grant)
    const untilText = grant.untilMs === undefined ? '' : ` until ${isoOf(grant.untilMs)}`
    return { text: `${toPrintable(email)} is ${grant.role}${untilText}.`, data: { email, ...grantData(grant) } }
  },
}

export const userRevoke: Command = {
  commandWords: 'user revoke',
  synopsis: '--email E --role R',
  summary: 'Takes away a role that was given by this command; one that was paid for stays.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const email = emailOf(input)
    const role = roleOf(input)
    if (!(await storage.roles.revoke(email, role, 'admin'))) throw new UsageError(`${toPrintable(email)} was not given the role ${role}`)
    return { text: `${toPrintable(email)} no longer has the role ${role} from this command.`, data: { email, role } }
  },
}

const createSwitchCommand = (action: 'disable' | 'enable', summary: string): Command => ({
  commandWords: `user ${action}`,
  synopsis: '--email E',
  summary,
  run: async (input, storage, config) => {
    takeOperands(input, 0, 0)
    const account = await accountOf(emailOf(input), storage, config)
    const disabled = action === 'disable'
    await storage.accounts.setDisabled(account.uid, disabled)
    return {
      text: `The account of ${toPrintable(account.email)} is ${action}d.`,
      data: { uid: account.uid, email: account.email, disabled },
    }
  },
})

export const userDisable = createSwitchCommand('disable', 'Stops an account from logging in, and what it is logged in to, at once.')
export const userEnable = createSwitchCommand('enable', 'Lets a disabled account log in again.')

export const userDelete: Command = {
  commandWords: 'user delete',
  synopsis: '--email E',
  summary: 'Removes an account and all that belongs to it.',
  run: async (input, storage, config) => {
    takeOperands(input, 0, 0)
    const { uid, email } = await accountOf(emailOf(input), storage, config)
    await storage.accounts.remove(uid)
    return { text: `The account of ${toPrintable(email)} is gone.`, data: { uid, email } }
  },
}

export const userList: Command = {
  commandWords: 'user list',
  synopsis: '',
  summary: 'Lists the accounts, oldest first, then the addresses that have a role but no account here.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const accounts = await readAllRows((page) => storage.accounts.list(page))
    const grants = await readAllRows((page) => storage.roles.list(page))
    const rolesOf = new Map<string, ReturnType<typeof grantData>[]>()
    for (const grant of grants) rolesOf.set(grant.email, [...(rolesOf.get(grant.email) ?? []), grantData(grant)])
    const rows = accounts.map(({ uid, email, emailVerified, disabled, createdMs, lastLoginMs }) => ({
      email,
      uid,
      created: isoOf(createdMs),
      last_login: isoOf(lastLoginMs),
      email_verified: emailVerified,
      disabled,
      roles: rolesOf.get(email) ?? [],
    }))
    const knownEmails = new Set(accounts.map((account) => account.email))
    const grantsWithoutAccount = [...rolesOf].flatMap(([email, roles]) => (knownEmails.has(email) ? [] : [{ email, roles }]))
    const rolesText = (of: ReturnType<typeof grantData>[]) =>
      of.map(({ role, source, until }) => `${role} (${source}${until === null ? '' : `, until ${until}`})`).join(', ')
    const lines = [
      ...rows.map((row) =>
        [
          toPrintable(row.email),
          row.uid,
          `created ${row.created}`,
          `last log-in ${row.last_login}`,
          row.disabled ? 'disabled' : '',
          rolesText(row.roles),
        ]
          .filter((part) => part !== '')
          .join('  '),
      ),
      ...grantsWithoutAccount.map(({ email, roles }) => `${toPrintable(email)}  no account here  ${rolesText(roles)}`),
    ]
    return { text: lines.length === 0 ? 'No accounts.' : lines.join('\n'), data: [...rows, ...grantsWithoutAccount] }
  },
}
