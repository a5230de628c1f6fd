import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { isExportingFiles, SignOutContext, useReadWaitingOutboxRows, useSignOutAndGoHome } from '../../hooks/sign-out.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

const SignOutDialog = lazyDialog('Sign out?', () => import('./sign-out-dialog.tsx').then((module) => module.SignOutDialog))

/** Provides the sign-out action, and notifies the person when the login ends, also by another tab or by the server. */
export function SignOutProvider({ children }: { children: ReactNode }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const readWaitingRows = useReadWaitingOutboxRows()
  const signOutAndGoHome = useSignOutAndGoHome()
  const toast = useToast()

  const person = useSignedInAccount()
  const previousPerson = useRef(person)
  useEffect(() => {
    // Shows no message on account pages, because they redirect to the login page, which shows why the login ended.
    if (previousPerson.current && !person && !location.pathname.startsWith('/account')) toast({ text: 'You are signed out.' })
    previousPerson.current = person
  }, [person, toast])

  const closeAndSignOut = useCallback(() => {
    setDialogOpen(false)
    void signOutAndGoHome()
  }, [signOutAndGoHome])
  const signOut = useCallback(() => {
    void readWaitingRows().then(({ length }) => (length > 0 || isExportingFiles() ? setDialogOpen(true) : closeAndSignOut()))
  }, [readWaitingRows, closeAndSignOut])

  return (
    <SignOutContext value={signOut}>
      {children}
      <SignOutDialog open={isDialogOpen} onClose={() => setDialogOpen(false)} onLeave={closeAndSignOut} />
    </SignOutContext>
  )
}
