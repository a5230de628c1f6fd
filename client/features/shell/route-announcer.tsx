import { useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSite } from '../../hooks/services.tsx'
import typeStyles from '../../ui/type.module.css'

/**
 * Sets `document.title` from the route's `head()`, announces the title after a navigation, and moves the focus to the new page's heading, like a
 * full page load.
 */
export function RouteAnnouncer() {
  const router = useRouter()
  const site = useSite()
  const title = useMatches({ select: (matches) => matches.flatMap((match) => match.meta ?? []).findLast((meta) => meta?.title)?.title })
  const [announcedTitle, setAnnouncedTitle] = useState('')
  const hasNavigated = useRef(false)
  const isFirstPageShown = useRef(false)

  // The title is set in a layout effect, which runs before the effects of pages that set the title themselves.
  useLayoutEffect(() => {
    // The first page's title is not set, because the server wrote it into the HTML.
    const isFirstPage = !isFirstPageShown.current
    isFirstPageShown.current = true
    if (title === undefined && isFirstPage) return
    const newTitle = title ?? site.settings.META_TITLE
    document.title = newTitle
    if (hasNavigated.current) setAnnouncedTitle(newTitle)
  }, [title, site])

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return
        hasNavigated.current = true
        setAnnouncedTitle(document.title)
        focusPage()
      }),
    [router],
  )

  return (
    <p className={typeStyles.hidden} role="status" aria-live="polite">
      {announcedTitle}
    </p>
  )
}

function focusPage() {
  // The focus stays in a text input that is still in the document, because the person may be typing.
  if (document.activeElement instanceof HTMLInputElement) return
  const focusTarget = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
  if (!focusTarget) return
  if (!focusTarget.hasAttribute('tabindex')) focusTarget.tabIndex = -1
  focusTarget.focus({ preventScroll: true })
}
