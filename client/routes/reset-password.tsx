import { createFileRoute, redirect, useRouter } from '@tanstack/react-router'
import { ResetPasswordPage } from '../features/account/reset-password-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

interface ResetPasswordSearchParams {
  oobCode?: string
  /** The kind of e-mail link, for example `resetPassword` or `verifyEmail`: all links of a Firebase project open the same page. */
  mode?: unknown
}

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ oobCode, mode }): ResetPasswordSearchParams => ({ ...(typeof oobCode === 'string' && { oobCode }), mode }),
  beforeLoad({ search: { oobCode, mode } }) {
    if (mode === 'verifyEmail') throw redirect({ to: '/verify-email', search: oobCode === undefined ? {} : { oobCode }, replace: true })
  },
  head: createHeadForPage,
  component: ResetPassword,
})

const LOGIN_AFTER_RESET_PATH = `/login?${new URLSearchParams({ success: 'Password reset successfully' })}`

function ResetPassword() {
  const { oobCode = '' } = Route.useSearch()
  const router = useRouter()
  return <ResetPasswordPage key={oobCode} code={oobCode} onDone={(email) => router.history.replace(LOGIN_AFTER_RESET_PATH, { email })} />
}
