import { expect, it } from 'vitest'
import { isApiOrPicturePath, isRedirectPath, isServerPath } from './paths.ts'

it.each(['/api', '/api/song/get', '/img/og/site.jpg', '/shell', '/healthz', '/account/link_discord', '/robots.txt', '/latest.atom'])(
  'paths: requests for %s always go to the server',
  (path) => {
    expect([isServerPath(path), isRedirectPath(path)]).toEqual([true, false])
  },
)

it.each(['/', '/song', '/apis', '/image', '/account', '/account/maker', '/healthz-page', '/go-home'])(
  'paths: %s may be the path of a page',
  (path) => {
    expect([isServerPath(path), isRedirectPath(path), isApiOrPicturePath(path)]).toEqual([false, false, false])
  },
)

it('paths: errors below /api and /img are JSON, redirects are below /go', () => {
  expect(['/api', '/api/x', '/img/song/x/320', '/shell'].map(isApiOrPicturePath)).toEqual([true, true, true, false])
  expect(['/go', '/go/random'].map(isRedirectPath)).toEqual([true, true])
})
