// Rejects a path whose second character is a slash, or a character that browsers treat as a slash, because it leads to another host.
const SAFE_HREF = /^(?:https?:\/\/|mailto:|#|\/(?![/\\\s]))/i
const EXTERNAL_HREF = /^https?:/i

/** Returns `href` if it is http, https, mailto, or a path or anchor of the site. */
export const toSafeHref = (href: unknown): string | undefined => (typeof href === 'string' && SAFE_HREF.test(href) ? href : undefined)

/** Returns the attributes of a link to a safe `linkHref`: links to other sites open in a new tab. */
export const createLinkAttributes = (linkHref: string) => ({
  href: linkHref,
  ...(EXTERNAL_HREF.test(linkHref) && { target: '_blank', rel: 'noopener noreferrer' }),
})
