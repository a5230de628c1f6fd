import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '../features/account/forgot-password-page.tsx'
import { pageHead } from '../hooks/page-title.ts'

export const Route = createFileRoute('/forgot-password')({
  head: pageHead,
  component: ForgotPasswordPage,
})
