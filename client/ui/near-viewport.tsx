import { type ReactNode, useEffect, useRef, useState } from 'react'

/** The distance below the viewport within which content is already rendered. */
const ROOT_MARGIN = '600px'

/** Renders `children` once they are about to be scrolled into view. Until then the element is empty; `className` reserves its height. */
export function NearViewport({ className, children }: { className: string | undefined; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  const [isNearViewport, setIsNearViewport] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setIsNearViewport(true), {
      rootMargin: ROOT_MARGIN,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={element} className={className}>
      {isNearViewport && children}
    </div>
  )
}
