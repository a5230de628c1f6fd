import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '../features/account/forgot-password-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/forgot-password')({
  head: createHeadForPage,
  component: ForgotPasswordPage,
})
