import { useEffect, useState } from 'react'
import { startTimeout } from '../primitives/scope.ts'
import { ActionButton } from './action-bar.tsx'
import { lazyDialog } from './lazy-dialog.tsx'

const COPIED_NOTICE_MS = 1500

const LinkDialog = lazyDialog('Copy link', () => import('./link-dialog.tsx').then((module) => module.LinkDialog))

/** The actions that copy the URL of `path`, and on touch screens open the device's share sheet. */
export function ShareActions({ path, title }: { path: string; title: string }) {
  const [isLinkCopied, setLinkCopied] = useState(false)
  const [isDialogOpen, setDialogOpen] = useState(false)

  useEffect(() => {
    if (!isLinkCopied) return
    return startTimeout(() => setLinkCopied(false), COPIED_NOTICE_MS)
  }, [isLinkCopied])

  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(location.origin + path)
      setLinkCopied(true)
    } catch {
      setDialogOpen(true)
    }
  }

  /** Opens the device's share sheet. If the device has none, copies the link. */
  const sharePage = async () => {
    try {
      await navigator.share({ title, url: location.origin + path })
    } catch (error) {
      const isDismissed = error instanceof DOMException && error.name === 'AbortError'
      if (!isDismissed) await copyLink()
    }
  }

  return (
    <>
      <ActionButton
        icon={isLinkCopied ? 'check' : 'link'}
        label="Copy link"
        message={isLinkCopied ? 'Link copied!' : ''}
        onClick={() => void copyLink()}
      />
      <ActionButton icon="share" label="Share" touchOnly onClick={() => void sharePage()} />
      <LinkDialog path={path} open={isDialogOpen} onClose={() => setDialogOpen(false)} />
    </>
  )
}
