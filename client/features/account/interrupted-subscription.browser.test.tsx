import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { AccountInfo } from '../../../contract/account.ts'
import { createAccountRepository } from '../../data/account-repository.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import '../../ui/global.css'
import { ToastRegion } from '../../ui/toast.tsx'
import { AccountDataPanel } from './account-data-panel.tsx'
import { PlanPanel } from './plan-panel.tsx'

const BILLING_PORTAL_URL = 'https://pay.example/portal'
const ann = { uid: 'ann', email: 'ann@example.com', emailVerified: true }
const ended = { plan: 'premium', until: '2026-03-01T12:00:00.000Z' } as const
const interruptions = [
  ['payment_failed', 'Your last payment failed. Manage your subscription to update your card.'],
  ['paused', 'Your subscription is paused. Manage your subscription to change it.'],
] as const

let root: Root
let hostElement: HTMLElement
beforeEach(() => {
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
})

function renderPanels(info: Partial<AccountInfo>, portal = BILLING_PORTAL_URL) {
  const database = createMemoryDatabase()
  let accountInfo: AccountInfo = { email: ann.email, roles: [], grants: [], discord: '', discord_id: '', ...info }
  const accountApi = { call: async () => accountInfo } as unknown as Parameters<typeof createAccountRepository>[0]['api']
  root.render(
    <ServicesProvider
      services={createTestServices({
        ...{ database, accountApi, offlineMutations: () => new Promise(() => {}), openEngine: () => new Promise(() => {}) },
        connection: { subscribe: () => () => {}, offline: false, serverUnreachable: false },
        identity: { getSnapshot: () => ann, subscribe: () => () => {} },
        site: { settings: { CUSTOMER_PORTAL: portal } },
        accounts: createAccountRepository({ api: accountApi, database, getSignedInUid: () => 'ann' }),
      })}
    >
      <ToastRegion>
        <PlanPanel person={ann} />
        <AccountDataPanel person={ann} onDeleted={() => {}} />
      </ToastRegion>
    </ServicesProvider>,
  )
  return {
    endInterruption() {
      const { interrupted: _, ...otherInfo } = accountInfo
      accountInfo = otherInfo
    },
  }
}
const planPanel = page.getByRole('region', { name: 'Your plan' })
const findPlanLink = (name: string) => planPanel.getByRole('link', { name, exact: true })

it.each(interruptions)(
  'dashboard: while a subscription whose role has ended is interrupted (%s), the panel says so, and has the link Manage in place of Subscribe',
  async (interrupted, message) => {
    renderPanels({ ended, interrupted })
    await expect.element(planPanel.getByText(message, { exact: true })).toBeVisible()
    await expect.element(planPanel.getByText('Premium ended on')).toBeVisible()
    await expect.element(findPlanLink('Manage')).toHaveAttribute('href', BILLING_PORTAL_URL)
    await expect.element(findPlanLink('Subscribe')).not.toBeInTheDocument()
    await expect.element(planPanel.getByText('No subscription')).not.toBeInTheDocument()
  },
)

it('dashboard: an interruption that the person has ended in the tab of the billing portal is gone when the page is shown again', async () => {
  const { endInterruption } = renderPanels({ ended, interrupted: 'payment_failed' })
  await expect.element(planPanel.getByText('Your last payment failed.')).toBeVisible()
  endInterruption()
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.element(planPanel.getByText('No subscription')).toBeVisible()
  await expect.element(planPanel.getByText('Your last payment failed.')).not.toBeInTheDocument()
})

it('dashboard: without a billing portal, an interrupted subscription is managed by a message to the team', async () => {
  renderPanels({ ended, interrupted: 'payment_failed' }, '')
  await expect.element(findPlanLink('Write to us')).toHaveAttribute('href', '/get-in-touch?topic=other')
})

it('dashboard: an ended subscription has the link Subscribe, and the dialog for deleting the account says nothing about the card', async () => {
  renderPanels({ ended })
  await expect.element(findPlanLink('Subscribe')).toHaveAttribute('href', '/subscribe')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect.element(page.getByRole('dialog').getByText('This cannot be undone')).toBeVisible()
  await expect.element(page.getByRole('dialog').getByText('Your card')).not.toBeInTheDocument()
})

it.each(interruptions)(
  'dashboard: while a subscription is interrupted (%s), the dialog for deleting the account warns that the card can be charged',
  async (interrupted) => {
    renderPanels({ ended, interrupted })
    await expect.element(planPanel.getByRole('link', { name: 'Manage' })).toBeVisible()
    await page.getByRole('button', { name: 'Delete account' }).click()
    const warning = page.getByRole('dialog').getByRole('alert')
    await expect.element(warning).toHaveTextContent('Your card can be charged again unless you end your subscription first: Manage')
    await expect.element(warning.getByRole('link', { name: 'Manage' })).toHaveAttribute('href', BILLING_PORTAL_URL)
  },
)
