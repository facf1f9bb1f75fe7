@echo off
rem Files that are dropped on this one become a collection; without any, bring them by the page.
title Inkling
"%~dp0inkling.exe" serve --open %*
pause
