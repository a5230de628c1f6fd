import { useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSite } from '../../bindings/services.tsx'
import typeStyles from '../../ui/type.module.css'

/**
 * Keeps `document.title` in step with the route's `head()`, reads it out after a navigation, and moves the focus to the
 * new page's heading, as a reload would have.
 */
export function RouteAnnouncer() {
  const router = useRouter()
  const site = useSite()
  const title = useMatches({ select: (matches) => matches.flatMap((match) => match.meta ?? []).findLast((meta) => meta?.title)?.title })
  const [announced, setAnnounced] = useState('')
  const navigated = useRef(false)
  const shown = useRef(false)

  // Before the effects of a page that names the document itself.
  useLayoutEffect(() => {
    // The server wrote the first page's title.
    const first = !shown.current
    shown.current = true
    if (title === undefined && first) return
    const next = title ?? site.settings.META_TITLE
    document.title = next
    if (navigated.current) setAnnounced(next)
  }, [title, site])

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return
        navigated.current = true
        setAnnounced(document.title)
        focusPage()
      }),
    [router],
  )

  return (
    <p className={typeStyles.hidden} role="status" aria-live="polite">
      {announced}
    </p>
  )
}

function focusPage() {
  // Someone who is typing, in a box that outlives the navigation, is left there.
  if (document.activeElement instanceof HTMLInputElement) return
  const target = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
