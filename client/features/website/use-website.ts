import type { Website, WebsiteRequest } from '../../../contract/website.ts'
import type { WebsiteEntry } from '../../../contract/website-rules.ts'
import { type AccountAction, useAccountAction, useAccountData } from '../../hooks/account-data.ts'
import type { RemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { createApi, withAuth } from '../../platform/api.ts'
import { startTimeout } from '../../primitives/scope.ts'

/** Returns the website of the signed-in account; null before it is activated. */
export const useWebsite = (): RemoteData<Website | null> => useAccountData('GET /website/get', {})

export const useActivateWebsite = (): AccountAction<[domainName: string]> =>
  useAccountAction((api, domain_name) => api.call('POST /website/activate', { domain_name }))

/** Returns the action that lists the newest videos of the website's channel, and passes them to `onList`. */
export const useListChannelVideos = (onList: (uploads: readonly WebsiteEntry[]) => void): AccountAction<[]> =>
  useAccountAction(async (api) => onList(await api.call('GET /website/uploads', {})))

/**
 * The minimum time in milliseconds from an attempt to its error message. A repeated message that appears immediately would look like the
 * message of the previous attempt.
 */
const ERROR_MESSAGE_DELAY_MS = 1000

export const useSaveWebsite = (): AccountAction<[WebsiteRequest]> =>
  useAccountAction(async (api, websiteDraft) => {
    try {
      await api.call('POST /website/save', websiteDraft)
    } catch (error) {
      await new Promise<void>((resolve) => startTimeout(resolve, ERROR_MESSAGE_DELAY_MS))
      throw error
    }
  })

/** The time in milliseconds after which an upload is given up. It is enough for the largest picture on a slow line. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000

/** Returns the action that uploads a picture of the website; without a file, it removes the uploaded one. */
export function useUploadPicture(pictureKind: 'banner' | 'portrait'): AccountAction<[file: File | undefined]> {
  const { identity, site } = useServices()
  return useAccountAction((_api, pictureFile) => {
    const form = new FormData()
    if (pictureFile) form.append('file', pictureFile)
    const sendForm: typeof fetch = (url, init) => {
      // The browser sets the content type of a form itself, because it contains the boundary of the parts.
      const headers = new Headers(init?.headers)
      headers.delete('Content-Type')
      return fetch(url, { ...init, headers, body: form })
    }
    const uploadApi = createApi({ baseUrl: site.api_base_url, fetch: sendForm, timeoutMs: UPLOAD_TIMEOUT_MS })
    return withAuth(identity, uploadApi).call(`POST /website/${pictureKind}`, {})
  })
}
