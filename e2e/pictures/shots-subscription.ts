import type { Page } from '@playwright/test'
import type { AccountInfo, PaidPlan, RoleGrant } from '../../contract/account.ts'
import type { Site } from '../server.ts'
import { mainRegion } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const password = 'tempo160'
let accountCount = 0

const PAID_UNTIL = '2027-03-01T00:00:00.000Z'
const paidGrants = (plan: PaidPlan, fields: Partial<RoleGrant> = {}): RoleGrant[] =>
  (plan === 'donate' ? (['donator'] as const) : plan === 'premium' ? (['subscriber'] as const) : (['subscriber', 'donator'] as const)).map(
    (role) => ({ role, source: 'payment', plan, until: PAID_UNTIL, ...fields }),
  )

/** The members of the server's response about an account that depend on its payments. */
type ShownInfo = Pick<AccountInfo, 'grants' | 'ended' | 'website'>

const accounts: Record<string, ShownInfo> = {
  none: { grants: [] },
  paid: { grants: paidGrants('premium', { renews: true }) },
  'paid-second': { grants: paidGrants('premium_plus', { renews: true }) },
  paused: { grants: paidGrants('premium_plus') },
  donated: { grants: paidGrants('donate') },
  // A plan that has ended. The page looks the same after a lost payment dispute as after a cancellation.
  ended: { grants: [], ended: { plan: 'premium_plus', until: '2026-10-04T12:00:00.000Z' } },
}

/** Lists the screenshots of the plans and of the dashboard for people who pay, and for those who no longer do. */
export function subscriptionScreenshots(site: Site): Screenshot[] {
  const signIn = async (page: Page) => {
    const email = `mika.plans${++accountCount}@meridian.fm`
    await site.admin('user', 'create', '--email', email, '--password', password)
    await mainRegion(page).getByLabel('Email').fill(email)
    await mainRegion(page).getByLabel('Password').fill(password)
    await mainRegion(page).getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
  }
  const answerInfo = async (page: Page, info: ShownInfo) => {
    const data: AccountInfo = {
      ...{ email: 'mika.soun@meridian.fm', roles: info.grants?.map(({ role }) => role) ?? [], discord: '', discord_id: '' },
      ...info,
    }
    await page.route('**/api/account/getinfo', (route) => route.fulfill({ json: { code: 200, message: 'OK', data } }))
  }
  const openWithInfo = async (page: Page, urlPath: string, info: ShownInfo) => {
    await signIn(page)
    await answerInfo(page, info)
    await Promise.all([page.waitForResponse('**/api/account/getinfo'), page.goto(new URL(urlPath, page.url()).href)])
    await page.waitForTimeout(800)
  }
  const planCard = (page: Page, name: string) => mainRegion(page).getByRole('article', { name, exact: true })
  return [
    ...Object.entries(accounts).flatMap(([name, info]): Screenshot[] => [
      { name: `subscribe-${name}`, path: '/login', fullPage: true, showState: (page) => openWithInfo(page, '/subscribe', info) },
      { name: `account-plan-${name}`, path: '/login', showState: (page) => openWithInfo(page, '/account', info) },
    ]),
    {
      name: 'subscribe-waiting',
      path: '/login',
      showState: async (page) => {
        await openWithInfo(page, '/subscribe', { grants: [] })
        await planCard(page, 'Premium').getByRole('link', { name: 'Subscribe' }).click()
        await page.getByText('Waiting for the payment').waitFor()
      },
    },
    {
      name: 'subscribe-noticed',
      path: '/login',
      showState: async (page) => {
        await openWithInfo(page, '/subscribe', { grants: [] })
        await planCard(page, 'Premium').getByRole('link', { name: 'Subscribe' }).click()
        await page.getByText('Waiting for the payment').waitFor()
        await answerInfo(page, { grants: paidGrants('premium', { renews: true }) })
        await page.getByText('Thank you').waitFor()
      },
    },
    {
      name: 'subscribe-refused',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await openWithInfo(page, '/subscribe', { grants: [] })
        const message = 'You have a subscription already, so that a second one would be charged as well. Change the one that you have.'
        await page.route('**/api/account/checkout', (route) => route.fulfill({ status: 409, json: { code: 409, message, data: null } }))
        await planCard(page, 'Premium+').getByRole('link', { name: 'Subscribe' }).click()
        await planCard(page, 'Premium+').getByText('already').waitFor()
      },
    },
    {
      name: 'account-delete-paid',
      path: '/login',
      showState: async (page) => {
        await openWithInfo(page, '/account', { grants: paidGrants('premium', { renews: true }) })
        await mainRegion(page).getByRole('button', { name: 'Delete account' }).click()
      },
    },
    {
      name: 'maker-locked-ended',
      path: '/login',
      showState: (page) => openWithInfo(page, '/account/maker', accounts.ended ?? {}),
    },
    {
      name: 'website-locked-ended',
      path: '/login',
      showState: (page) => openWithInfo(page, '/account/website', { ...accounts.ended, website: 'https://mika.meridian.fm/' }),
    },
  ]
}
