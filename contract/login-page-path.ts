/** A redirect to the home page, at which a proxy in front of the site can show its own login: the browser, not the service worker, requests it. */
export const LOGIN_PAGE_PATH = '/go/home'
