import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import '../../ui/global.css'
import { PictureUpload } from './picture-upload.tsx'

let root: Root
let hostElement: HTMLElement
/** The responses of the simulated server, in order. */
let responses: Response[]
let sentUploads: { path: string; token: string | null; contentType: string | null; text: string }[]

beforeEach(() => {
  sentUploads = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { headers, body } = init
    const file = body instanceof FormData ? body.get('file') : undefined
    const text = file instanceof File ? await file.text() : ''
    const sentHeaders = new Headers(headers)
    sentUploads.push({ path: url, token: sentHeaders.get('Authorization'), contentType: sentHeaders.get('Content-Type'), text })
    return responses.shift() ?? Response.error()
  })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
  vi.unstubAllGlobals()
})

const createEnvelope = (code: number, message: string) => Response.json({ code, message, data: null }, { status: code })
const pictureField = page.getByLabelText('Banner picture')
const choosePicture = (text: string) => pictureField.upload(new File([text], 'banner.png', { type: 'image/png' }))

function renderField(onChanged = () => {}) {
  const neverEnds = new AbortController().signal
  const services = createTestServices({
    site: { api_base_url: '/api' },
    identity: {
      getSnapshot: () => undefined,
      subscribe: () => () => {},
      loginSignal: () => neverEnds,
      token: async (refusedToken?: string) => (refusedToken === undefined ? 'first' : 'renewed'),
    },
    accounts: {},
    accountApi: {},
  })
  root.render(
    <ServicesProvider services={services}>
      <PictureUpload kind="banner" isUploaded={false} onChanged={onChanged} />
    </ServicesProvider>,
  )
}

it('website picture: if the site refuses the token, the upload is repeated once with a renewed one', async () => {
  const onChanged = vi.fn()
  responses = [createEnvelope(401, 'Please log in.'), createEnvelope(200, 'OK')]
  renderField(onChanged)
  await choosePicture('picture')
  await vi.waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
  const upload = { path: '/api/website/banner', contentType: null, text: 'picture' }
  expect(sentUploads).toEqual([
    { ...upload, token: 'Bearer first' },
    { ...upload, token: 'Bearer renewed' },
  ])
})

it('website picture: the field is empty after a choice, so that the same file can be chosen again', async () => {
  responses = [createEnvelope(400, 'Please upload a picture.'), createEnvelope(200, 'OK')]
  renderField()
  await choosePicture('broken')
  await expect.element(page.getByText('Please upload a picture.')).toBeVisible()
  const input = pictureField.element()
  expect(input instanceof HTMLInputElement && input.files).toHaveLength(0)
  await choosePicture('mended')
  await expect.element(page.getByText('Please upload a picture.')).not.toBeInTheDocument()
  expect(sentUploads.map(({ text }) => text)).toEqual(['broken', 'mended'])
})

it('website picture: if a proxy answers with a page of its own, the message does not say that a connection is missing', async () => {
  responses = [new Response('<h1>502</h1>', { status: 502 })]
  renderField()
  await choosePicture('picture')
  await expect.element(page.getByText('The server could not answer. Try again in a moment.')).toBeVisible()
})
