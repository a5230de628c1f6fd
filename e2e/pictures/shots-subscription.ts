import type { Page } from '@playwright/test'
import type { AccountInfo, PaidPlan, RoleGrant } from '../../contract/account.ts'
import type { Site } from '../server.ts'
import { mainRegion } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const password = 'tempo160'
let accountCount = 0

const PAID_UNTIL = '2027-03-01T00:00:00.000Z'
const createPaidGrants = (plan: PaidPlan, grantFields: Partial<RoleGrant> = {}): RoleGrant[] =>
  (plan === 'donate' ? (['donator'] as const) : plan === 'premium' ? (['subscriber'] as const) : (['subscriber', 'donator'] as const)).map(
    (role) => ({ role, source: 'payment', plan, until: PAID_UNTIL, ...grantFields }),
  )

/** The members of the server's response about an account that depend on its payments. */
type ShownAccountInfo = Pick<AccountInfo, 'grants' | 'ended' | 'website'>

const infoByName: Record<string, ShownAccountInfo> = {
  none: { grants: [] },
  paid: { grants: createPaidGrants('premium', { renews: true }) },
  'paid-second': { grants: createPaidGrants('premium_plus', { renews: true }) },
  paused: { grants: createPaidGrants('premium_plus') },
  donated: { grants: createPaidGrants('donate') },
  // A plan that has ended with its subscription.
  ended: { grants: [], ended: { plan: 'premium_plus', until: '2026-10-04T12:00:00.000Z' } },
}

/** Lists the screenshots of the plans and of the dashboard for people who pay, and for those who no longer do. */
export function createSubscriptionScreenshots(site: Site): Screenshot[] {
  const signIn = async (page: Page) => {
    const email = `mika.plans${++accountCount}@meridian.fm`
    await site.runAdmin('user', 'create', '--email', email, '--password', password)
    await mainRegion(page).getByLabel('Email').fill(email)
    await mainRegion(page).getByLabel('Password').fill(password)
    await mainRegion(page).getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
  }
  const mockAccountInfo = async (page: Page, info: ShownAccountInfo) => {
    const accountInfo: AccountInfo = {
      ...{ email: 'mika.soun@meridian.fm', roles: info.grants?.map(({ role }) => role) ?? [], discord: '', discord_id: '' },
      ...info,
    }
    await page.route('**/api/account/getinfo', (route) => route.fulfill({ json: { code: 200, message: 'OK', data: accountInfo } }))
  }
  const openWithInfo = async (page: Page, urlPath: string, info: ShownAccountInfo) => {
    await signIn(page)
    await mockAccountInfo(page, info)
    await Promise.all([page.waitForResponse('**/api/account/getinfo'), page.goto(new URL(urlPath, page.url()).href)])
    await page.waitForTimeout(800)
  }
  const locatePlanCard = (page: Page, name: string) => mainRegion(page).getByRole('article', { name, exact: true })
  return [
    ...Object.entries(infoByName).flatMap(([accountName, accountInfo]): Screenshot[] => [
      {
        name: `subscribe-${accountName}`,
        path: '/login',
        fullPage: true,
        showState: (page) => openWithInfo(page, '/subscribe', accountInfo),
      },
      { name: `account-plan-${accountName}`, path: '/login', showState: (page) => openWithInfo(page, '/account', accountInfo) },
    ]),
    {
      name: 'subscribe-waiting',
      path: '/login',
      showState: async (page) => {
        await openWithInfo(page, '/subscribe', { grants: [] })
        await locatePlanCard(page, 'Premium').getByRole('link', { name: 'Subscribe' }).click()
        await page.getByText('Waiting for the payment').waitFor()
      },
    },
    {
      name: 'subscribe-noticed',
      path: '/login',
      showState: async (page) => {
        await openWithInfo(page, '/subscribe', { grants: [] })
        await locatePlanCard(page, 'Premium').getByRole('link', { name: 'Subscribe' }).click()
        await page.getByText('Waiting for the payment').waitFor()
        await mockAccountInfo(page, { grants: createPaidGrants('premium', { renews: true }) })
        await page.getByText('Thank you').waitFor()
      },
    },
    {
      name: 'subscribe-refused',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await openWithInfo(page, '/subscribe', { grants: [] })
        const messageText = 'You have a subscription already, so that a second one would be charged as well. Change the one that you have.'
        await page.route('**/api/account/checkout', (route) =>
          route.fulfill({ status: 409, json: { code: 409, message: messageText, data: null } }),
        )
        await locatePlanCard(page, 'Premium+').getByRole('link', { name: 'Subscribe' }).click()
        await locatePlanCard(page, 'Premium+').getByText('already').waitFor()
      },
    },
    {
      name: 'account-delete-paid',
      path: '/login',
      showState: async (page) => {
        await openWithInfo(page, '/account', { grants: createPaidGrants('premium', { renews: true }) })
        await mainRegion(page).getByRole('button', { name: 'Delete account' }).click()
      },
    },
    {
      name: 'maker-locked-ended',
      path: '/login',
      showState: (page) => openWithInfo(page, '/account/maker', infoByName.ended ?? {}),
    },
    {
      name: 'website-locked-ended',
      path: '/login',
      showState: (page) => openWithInfo(page, '/account/website', { ...infoByName.ended, website: 'https://mika.meridian.fm/' }),
    },
  ]
}
