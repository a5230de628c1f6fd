import { type ReactNode, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FormTopic } from '../../contract/contact-rules.ts'
import { createMemoryDatabase } from '../data/memory-database.ts'
import { wrapInDeviceDatabase } from '../data/testing/databases.ts'
import { ContactPage } from '../features/contact/contact-page.tsx'
import { ServicesProvider } from '../hooks/services.tsx'
import { createTestServices } from '../hooks/testing/services.ts'
import { createApi } from '../platform/api.ts'
import '../ui/global.css'
import { createEmitter } from '../primitives/emitter.ts'
import { createOfflineMutations } from './offline-mutations.ts'

type FakeResponse = 'lost' | { code: number; message: string }

let root: Root | undefined
let hostElement: HTMLElement | undefined
let closeServices = () => {}

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  closeServices()
  root?.unmount()
  hostElement?.remove()
})

/** Creates services with the real outbox and an in-memory database. A simulated `fetch` answers for the server. */
function startServices() {
  const simulatedState = { uid: undefined as string | undefined, response: { code: 200, message: 'OK' } as FakeResponse }
  const sentBodies: Record<string, unknown>[] = []
  const identityChanges = createEmitter()
  const api = createApi({
    baseUrl: '/api',
    async fetch(url, init) {
      if (!String(url).endsWith('/contact/request')) throw new TypeError('Failed to fetch')
      const token = new Headers(init?.headers).get('authorization')?.split('.')[1]
      sentBodies.push({ ...JSON.parse(String(init?.body)), ...(token !== undefined && { sentAs: JSON.parse(atob(token)).sub }) })
      if (simulatedState.response === 'lost') throw new TypeError('Failed to fetch')
      return new Response(JSON.stringify({ ...simulatedState.response, data: null }), { status: simulatedState.response.code })
    },
  })
  const accountByUid = new Map(['ann', 'bob'].map((uid) => [uid, { uid, email: `${uid}@example.com`, emailVerified: true }]))
  const identity = {
    getSnapshot: () => (simulatedState.uid === undefined ? undefined : accountByUid.get(simulatedState.uid)),
    subscribe: identityChanges.subscribe,
    token: async () => (simulatedState.uid === undefined ? undefined : `x.${btoa(JSON.stringify({ sub: simulatedState.uid }))}.y`),
    loginSignal: () => new AbortController().signal,
  }
  const connection = { offline: false, serverUnreachable: false, subscribe: () => () => {} }
  const database = wrapInDeviceDatabase(createMemoryDatabase())
  const deps = { api, identity, connection, database }
  const offlineMutations = createOfflineMutations({ ...deps, accountApi: api } as unknown as Parameters<typeof createOfflineMutations>[0])
  closeServices = () => offlineMutations.outbox.close()
  const services = createTestServices({
    ...deps,
    offlineMutations: async () => offlineMutations,
    site: { settings: { SOCIAL_DISCORD: '' } },
  })
  const signIn = (uid: string | undefined) => {
    simulatedState.uid = uid
    identityChanges.emit()
  }
  const readRows = () => database.read((tables) => tables.outbox.all())
  return { state: simulatedState, sentBodies, services, signIn, readRows, outbox: offlineMutations.outbox }
}

function StatefulPage(): ReactNode {
  const [topic, setTopic] = useState<FormTopic>('other')
  return <ContactPage topic={topic} onTopic={setTopic} />
}

function openPage(services: ReturnType<typeof startServices>['services']) {
  root?.unmount()
  hostElement?.remove()
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider services={services}>
      <StatefulPage />
    </ServicesProvider>,
  )
}

const findField = (label: string) => page.getByLabelText(label, { exact: true })
const sendButton = page.getByRole('button', { name: 'Send', exact: true })
const listedRequestItem = page.getByRole('listitem').filter({ hasText: 'Discard' })

async function fillForm(messageText: string) {
  await findField('Email').fill('someone@example.org')
  await findField('Discord').fill('someone')
  await findField('YouTube URL').fill('https://www.youtube.com/@someone')
  await findField('Message').fill(messageText)
}

it('contact: typed text survives a reload and a login, and is shown to no other account', async () => {
  const { services, signIn } = startServices()
  openPage(services)
  await fillForm('Hello')
  openPage(services)
  await expect.element(findField('Message')).toHaveValue('Hello')
  signIn('ann')
  await expect.element(findField('Message')).toHaveValue('Hello')
  await expect.element(findField('Email')).toHaveValue('someone@example.org')
  await findField('Message').fill('Hello, this is Ann')
  signIn('bob')
  await expect.element(findField('Message')).toHaveValue('')
  await expect.element(findField('Email')).toHaveValue('bob@example.com')

  signIn('ann')
  await findField('Message').fill('Written by Ann')
  signIn(undefined)
  await expect.element(findField('Message')).toHaveValue('')
  await expect.element(findField('Email')).toHaveValue('')
})

it('contact: text that one account typed is not restored for another account', async () => {
  const { services, signIn } = startServices()
  signIn('ann')
  openPage(services)
  await findField('Message').fill('Written by Ann')
  root?.unmount()
  signIn('bob')
  openPage(services)
  await expect.element(findField('Email')).toHaveValue('bob@example.com')
  await expect.element(findField('Message')).toHaveValue('')
  root?.unmount()
  signIn('ann')
  openPage(services)
  await expect.element(findField('Message')).toHaveValue('Written by Ann')
})

it('contact: after a server error the text stays in the form; if it is sent again, the request has the same id, or a new id if the text was changed', async () => {
  const { state, sentBodies, services, readRows } = startServices()
  openPage(services)
  await fillForm('Hello')
  state.response = { code: 429, message: 'Too many requests.' }
  await sendButton.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Too many requests.')
  await expect.element(findField('Message')).toHaveValue('Hello')
  expect(await readRows()).toEqual([])
  openPage(services)
  await expect.element(findField('Message')).toHaveValue('Hello')
  state.response = { code: 503, message: 'The server is stopping.' }
  await sendButton.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server is stopping.')
  await findField('Message').fill('Hello again')
  state.response = { code: 200, message: 'OK' }
  await sendButton.click()
  await expect.element(page.getByText('Your request has been sent successfully!')).toBeVisible()
  await expect.element(findField('Message')).toHaveValue('')
  const [firstChangeId, secondChangeId, thirdChangeId] = sentBodies.map(({ change_id }) => change_id)
  expect(secondChangeId).toBe(firstChangeId)
  expect(thirdChangeId).not.toBe(firstChangeId)
  expect(sentBodies.every(({ open_ms }) => Number(open_ms) >= 2000)).toBe(true)
  expect(sessionStorage).toHaveLength(0)
})

it('contact: a stored request that the server refuses can be edited or discarded; editing it never replaces typed text without asking', {
  tags: ['long'],
}, async () => {
  const { state, services, readRows, outbox } = startServices()
  openPage(services)
  await fillForm('First')
  state.response = 'lost'
  await sendButton.click()
  await expect.element(page.getByText('Your request is kept on this device', { exact: false })).toBeVisible()
  await expect.element(findField('Message')).toHaveValue('')
  await expect.element(listedRequestItem).toHaveTextContent('First')

  state.response = { code: 400, message: 'email must be an e-mail address' }
  await outbox.drain()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Not sent: email must be an e-mail address')
  await expect.element(page.getByText('Your request is kept on this device', { exact: false })).not.toBeInTheDocument()
  await findField('Message').fill('Second')
  await page.getByRole('button', { name: 'Edit Other' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep my text' }).click()
  await expect.element(findField('Message')).toHaveValue('Second')
  await page.getByRole('button', { name: 'Edit Other' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace it' }).click()
  await expect.element(findField('Message')).toHaveValue('First')
  await expect.element(findField('Email')).toHaveValue('someone@example.org')
  await expect.element(listedRequestItem).not.toBeInTheDocument()
  expect(await readRows()).toEqual([])

  state.response = 'lost'
  await sendButton.click()
  await expect.element(listedRequestItem).toHaveTextContent('First')
  state.response = { code: 200, message: 'OK' }
  await page.getByRole('button', { name: 'Send now Other' }).click()
  await expect.element(page.getByText('Your request has been sent successfully!')).toBeVisible()
  await expect.element(listedRequestItem).not.toBeInTheDocument()

  await fillForm('Third')
  state.response = 'lost'
  await sendButton.click()
  await page.getByRole('button', { name: 'Discard Other' }).click()
  await expect.element(listedRequestItem).not.toBeInTheDocument()
  expect(document.activeElement).not.toBe(document.body)
  await vi.waitFor(async () => expect(await readRows()).toEqual([]))
})

it('contact: an unsent request of one account is neither shown to another account nor sent in its name', async () => {
  const { state, sentBodies, services, signIn, outbox } = startServices()
  signIn('ann')
  openPage(services)
  await fillForm('Written by Ann')
  state.response = 'lost'
  await sendButton.click()
  await expect.element(listedRequestItem).toHaveTextContent('Written by Ann')
  state.response = { code: 200, message: 'OK' }
  for (const uid of ['bob', undefined]) {
    sentBodies.length = 0
    signIn(uid)
    await expect.element(listedRequestItem).not.toBeInTheDocument()
    await outbox.drain()
    expect(sentBodies).toEqual([])
  }
  signIn('ann')
  await expect.element(page.getByText('Your request has been sent successfully!')).toBeVisible()
  expect(sentBodies).toMatchObject([{ message: 'Written by Ann', sentAs: 'ann' }])
})
