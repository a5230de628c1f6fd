import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Login } from '../../../contract/account.ts'
import { type Services, ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ApiCallError } from '../../platform/api.ts'
import '../../ui/global.css'
import { ToastRegion } from '../../ui/toast.tsx'
import { LoginsPanel } from './logins-panel.tsx'

const createLogin = (loginId: string, deviceName: string, isCurrent: boolean): Login => ({
  ...{ id: loginId, device: deviceName, current: isCurrent, network: '203.0.113.x' },
  ...{ created: '2026-03-01T12:00:00.000Z', last_used: '2026-03-02T12:00:00.000Z' },
})
const networkError = new ApiCallError('network', 0, 'No connection to the server.')

let root: Root
let hostElement: HTMLElement
/** The simulated server's answer for each endpoint. If the answer is an `Error`, the call throws it. */
let responsesByEndpoint: Record<string, unknown>
let calledEndpoints: string[]

beforeEach(() => {
  responsesByEndpoint = { 'GET /account/logins': [createLogin('there', '', false), createLogin('here', 'Chrome on Linux', true)] }
  calledEndpoints = []
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
  vi.useRealTimers()
})

function renderPanel(siteSettings: object = {}) {
  const call = async (endpointKey: string, requestInput: object) => {
    if (endpointKey.startsWith('POST')) calledEndpoints.push(`${endpointKey} ${JSON.stringify(requestInput)}`)
    const answer = await responsesByEndpoint[endpointKey]
    if (answer instanceof Error) throw answer
    return answer
  }
  const identity = { getSnapshot: () => undefined, subscribe: () => () => {} }
  const accountApi = { call } as unknown as Services['accountApi']
  root.render(
    <ServicesProvider services={createTestServices({ site: siteSettings, identity, accounts: {}, accountApi })}>
      <ToastRegion>
        <LoginsPanel />
      </ToastRegion>
    </ServicesProvider>,
  )
}
const findButton = (name: string) => page.getByRole('button', { name, exact: true })

it('logins panel: the panel says that it is loading, then lists each login with device, network and times, with the current login first', async () => {
  const loginList = responsesByEndpoint['GET /account/logins']
  let sendLoginList = () => {}
  responsesByEndpoint['GET /account/logins'] = new Promise((resolve) => {
    sendLoginList = () => resolve(loginList)
  })
  renderPanel()
  await expect.element(page.getByText('Loading...')).toBeVisible()
  await expect.element(findButton('Sign out everywhere')).not.toBeInTheDocument()
  sendLoginList()
  await expect.element(page.getByText('This device · network 203.0.113.x · logged in on March 1, 2026')).toBeVisible()
  await expect.element(page.getByText('Unknown device')).toBeVisible()
  await expect.element(page.getByText('Last used on March 2, 2026 · network 203.0.113.x · logged in on March 1, 2026')).toBeVisible()
  expect(document.querySelectorAll('button')).toHaveLength(2)
  expect([...document.querySelectorAll('strong')].map(({ textContent }) => textContent)).toEqual([
    'Chrome on Linux',
    'Unknown device',
    'All devices',
  ])
})

it('logins panel: without a connection the panel says so, and Retry requests the logins again', async () => {
  const loginList = responsesByEndpoint['GET /account/logins']
  responsesByEndpoint['GET /account/logins'] = networkError
  renderPanel()
  await expect.element(page.getByText('This needs a connection.')).toBeVisible()
  responsesByEndpoint['GET /account/logins'] = new ApiCallError('api', 500, 'Something went wrong.')
  await findButton('Retry').click()
  await expect.element(page.getByText('Something went wrong.')).toBeVisible()
  responsesByEndpoint['GET /account/logins'] = loginList
  await findButton('Retry').click()
  await expect.element(page.getByText('Chrome on Linux')).toBeVisible()
  await expect.element(findButton('Retry')).not.toBeInTheDocument()
})

it('logins panel: pressing the button of another device signs it out; if that login had already ended, it is only removed from the list', async () => {
  responsesByEndpoint['POST /account/end_login'] = networkError
  renderPanel()
  await findButton('Sign out there').click()
  await expect.element(page.getByRole('alert').getByText('This needs a connection.')).toBeVisible()
  await expect.element(page.getByText('Unknown device')).toBeVisible()
  responsesByEndpoint['POST /account/end_login'] = new ApiCallError('api', 404, 'This login has ended already.')
  responsesByEndpoint['GET /account/logins'] = [
    createLogin('here', 'Chrome on Linux', true),
    createLogin('third', 'Safari on iPhone', false),
  ]
  await findButton('Sign out there').click()
  await expect.element(page.getByText('Safari on iPhone')).toBeVisible()
  await expect.element(page.getByText('This needs a connection.')).not.toBeInTheDocument()
  responsesByEndpoint['POST /account/end_login'] = null
  responsesByEndpoint['GET /account/logins'] = [createLogin('here', 'Chrome on Linux', true)]
  await findButton('Sign out there').click()
  await expect.element(page.getByText('Safari on iPhone was signed out.')).toBeVisible()
  await expect.element(page.getByText('No other devices')).toBeVisible()
  expect(calledEndpoints).toEqual(['there', 'there', 'third'].map((id) => `POST /account/end_login ${JSON.stringify({ id })}`))
})

it('logins panel: the message about a failure disappears after 5 seconds', async () => {
  responsesByEndpoint['POST /account/end_login'] = networkError
  renderPanel()
  await expect.element(findButton('Sign out there')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await findButton('Sign out there').click()
  await expect.element(page.getByRole('alert').getByText('This needs a connection.')).toBeVisible()
  flushSync(() => vi.advanceTimersByTime(5000))
  expect(page.getByText('This needs a connection.').query()).toBeNull()
})

it('logins panel: when the focused row is removed, focus moves to the next row, and after the last row to the panel', async () => {
  const loginRows = ['Safari on iPhone', 'Firefox on Windows', 'Chrome on Android'].map((device) => createLogin(device, device, false))
  const [firstRow, secondRow, thirdRow] = loginRows
  const pressEnter = async (nextRows: unknown) => {
    responsesByEndpoint['GET /account/logins'] = nextRows
    await userEvent.keyboard('{Enter}')
  }
  const expectFocus = (selector: string, text: string) =>
    expect.poll(() => document.activeElement?.matches(selector) && document.activeElement.parentElement?.textContent).toContain(text)
  responsesByEndpoint['GET /account/logins'] = networkError
  responsesByEndpoint['POST /account/end_login'] = null
  renderPanel()
  await expect.element(findButton('Retry')).toBeVisible()
  findButton('Retry').element().focus()
  await pressEnter([firstRow, secondRow, thirdRow])
  await expectFocus('button', 'Safari on iPhone')
  await userEvent.tab()
  await pressEnter([firstRow, thirdRow])
  await expectFocus('button', 'Chrome on Android')
  await pressEnter([firstRow])
  await expectFocus('button', 'Safari on iPhone')
  await pressEnter([])
  await expectFocus('section', 'Where you are logged in')
})

it('logins panel: the panel is not shown for an account of a Firebase project', async () => {
  renderPanel({ firebase: { api_key: 'key', auth_domain: 'a.example', project_id: 'p' } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.querySelector('section')).toBeNull()
})
