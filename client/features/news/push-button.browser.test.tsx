import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Services, ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import { PushButton } from './push-button.tsx'

afterEach(() => {
  vi.restoreAllMocks()
})

it('after the site has got another key, notifications are off; turning them on replaces the subscription, also on the site', async () => {
  const events: string[] = []
  const createSubscription = (name: string, keyByte: number) => ({
    endpoint: `https://fcm.googleapis.com/${name}`,
    options: { applicationServerKey: new Uint8Array(65).fill(keyByte).buffer },
    toJSON: () => ({}),
    async unsubscribe() {
      events.push(`${name} ends`)
      subscription = undefined
    },
  })
  let subscription: ReturnType<typeof createSubscription> | undefined = createSubscription('earlier', 1)
  const pushManager = {
    getSubscription: async () => subscription ?? null,
    async subscribe() {
      subscription = createSubscription('new', 0)
      return subscription
    },
  }
  // The cast is safe, because only these members are used.
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue({ pushManager } as unknown as ServiceWorkerRegistration)
  const call = async (endpointKey: string, { endpoint = '' }: { endpoint?: string }) => {
    if (endpointKey === 'GET /follow/push_key') return { key: 'A'.repeat(87) }
    events.push(`${endpointKey} ${endpoint}`)
    return null
  }
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  // The casts are safe, because these endpoints are the only ones that the button calls.
  const services = createTestServices({
    api: { call } as unknown as Services['api'],
    accountApi: { call } as unknown as Services['accountApi'],
  })
  root.render(
    <ServicesProvider services={services}>
      <ToastRegion>
        <PushButton />
      </ToastRegion>
    </ServicesProvider>,
  )
  const pushButton = page.getByRole('button', { name: 'Notify me' })
  await expect.element(pushButton).toHaveAttribute('aria-pressed', 'false')
  expect(events).toEqual([])
  await pushButton.click()
  await expect.element(pushButton).toHaveAttribute('aria-pressed', 'true')
  expect(events).toEqual([
    'earlier ends',
    'POST /follow/end_push https://fcm.googleapis.com/earlier',
    'POST /follow/push https://fcm.googleapis.com/new',
  ])
  root.unmount()
})
